import type { Database } from '../platform/database/database.ts'
import { textHashOf } from './leaf.ts'
import { awaitTipLog, eraseSalts, loggedTextsOf, textHashList } from './projection-store.ts'

const BATCH = 1000

/**
 * For the transaction that erases a customer, before it erases the texts: the log keeps their salted hashes and loses the
 * salts, so that the leaves stay as they are. The lock keeps the projection from hashing a text that is being erased.
 */
export async function eraseLoggedTexts(transaction: Database, profileId: number): Promise<void> {
  await transaction.one(awaitTipLog, {})
  for (let after = 0; ; ) {
    const texts = await transaction.query(loggedTextsOf, { profileId, after, limit: BATCH })
    const last = texts.at(-1)
    if (last === undefined) return
    const hashes = texts.map(({ position, salt, text }) => ({ position, text_hash: textHashOf(salt, text) }))
    await transaction.run(eraseSalts, { rows: textHashList.of(hashes) })
    after = last.comment_id
  }
}
