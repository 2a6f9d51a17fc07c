// The log's name and its keys. One key signs at a time; the lock on the log's row keeps processes that start together from
// creating several.

import { randomBytes } from 'node:crypto'
import type { Database } from '../platform/database/database.ts'
import { type CheckpointText, newKeyPair, signCheckpoint } from './checkpoint.ts'
import { EMPTY_ROOT } from './merkle.ts'
import { awaitTipLog, insertKey, type LogState, retireKeys, setCheckpoint, signingKey } from './projection-store.ts'
import { type KeyRow, publicKeys } from './store.ts'

/** At the first start on a database: names the log, creates its key, and signs the checkpoint of the empty log. */
export async function beginTipLog(database: Database, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const log = await transaction.one(awaitTipLog, {})
    if (log === undefined || log.origin !== null) return
    const origin = `paddock-log-${randomBytes(8).toString('hex')}`
    await createKey(transaction, origin, now)
    await writeCheckpoint(transaction, { origin, size: 0, root: EMPTY_ROOT.toString('base64'), time: now })
  })
}

/** A new key signs from now on; of the earlier one only the public key is left. Returns all keys. */
export async function rotateKey(database: Database, now: number): Promise<KeyRow[]> {
  return database.transaction(async (transaction) => {
    const { origin, size, root } = (await transaction.one(awaitTipLog, {})) as LogState
    if (origin === null || root === null) throw new Error('the log of tips has not been started')
    await transaction.run(retireKeys, { now })
    await createKey(transaction, origin, now)
    await writeCheckpoint(transaction, { origin, size, root, time: now })
    return transaction.query(publicKeys, {})
  })
}

async function createKey(transaction: Database, origin: string, now: number): Promise<void> {
  const { id, publicKey, privateKey } = newKeyPair(origin)
  await transaction.run(insertKey, { id, publicKey, privateKey, now })
}

/** The caller holds the lock on the log's row. */
export async function writeCheckpoint(transaction: Database, text: CheckpointText): Promise<void> {
  const key = await transaction.one(signingKey, {})
  if (key === undefined) throw new Error('the log of tips has no key')
  const signature = signCheckpoint(text, key.private_key)
  await transaction.run(setCheckpoint, { ...text, keyId: key.id, signature })
}
