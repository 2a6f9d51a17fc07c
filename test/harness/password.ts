import { scryptSync } from 'node:crypto'
import { type Database, writing } from '../../src/platform/database/database.ts'

const setPasswordHash = writing<{ id: number; hash: string }>(
  'setPasswordHash',
  'update customer set password_hash = :hash where id = :id',
)

/**
 * Stores a hash of the smallest cost, which the service then checks log-ins against: 0.1 ms instead of 250. What a
 * password that is set through the API costs is tested where that is done.
 */
export async function setCheapPassword(database: Database, id: number, password: string): Promise<void> {
  const salt = Buffer.alloc(16)
  const key = scryptSync(password.normalize('NFC'), salt, 32, { N: 16, r: 8, p: 1 })
  const hash = `scrypt$16$8$1$${salt.toString('base64')}$${key.toString('base64')}`
  await database.run(setPasswordHash, { id, hash })
}
