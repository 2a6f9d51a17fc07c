// Names from before names had looks, and those that an older version writes beside this one, get theirs when the
// service starts, so that nobody takes a name that looks like them. If two look alike, the older profile has the look;
// the other keeps its name without one, and is tried again at each start.

import { type Database, UniqueViolation } from '../platform/database/database.ts'
import { nameLook } from '../text-rules/name-look.ts'
import { lockNamesWithoutLook, nameLookList, setNameLooks } from './name-look-store.ts'

const AT_ONCE = 500

export async function storeMissingLooks(database: Database): Promise<void> {
  for (let after = 0; ; ) {
    try {
      const rows = await database.transaction((transaction) => storeLooksAfter(transaction, after))
      if (rows.length < AT_ONCE) return
      after = rows.at(-1)?.id ?? after
    } catch (error) {
      // Another process, or a customer, has just taken one of the looks: the next try finds it.
      if (!(error instanceof UniqueViolation)) throw error
    }
  }
}

async function storeLooksAfter(transaction: Database, after: number): Promise<{ id: number }[]> {
  const rows = await transaction.query(lockNamesWithoutLook, { after, limit: AT_ONCE })
  const first = new Map<string, number>()
  for (const { id, name } of rows) {
    const look = nameLook(name)
    if (look !== '' && !first.has(look)) first.set(look, id)
  }
  const looks = Array.from(first, ([look, id]) => ({ id, look }))
  if (looks.length > 0) await transaction.run(setNameLooks, { rows: nameLookList.of(looks) })
  return rows
}
