import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { turns } from '../../platform/runtime/slots.ts'

/**
 * OWASP's recommendation for scrypt (N = 2^15, r = 8, p = 3 or N = 2^17, p = 1) costs 100 to 300 ms of one core here;
 * this is its smallest listed memory cost with p = 3. The numbers are stored with each hash, so that they can be raised
 * later. Only the suites change them (test/harness/cheap-passwords.ts).
 */
export const passwordCost = { N: 2 ** 15, r: 8, p: 3 }
const LENGTH = 32

export async function hashPassword(password: string): Promise<string> {
  const cost = { ...passwordCost }
  const salt = randomBytes(16)
  return hashText(cost, salt, await derive(password, salt, cost))
}

function hashText({ N, r, p }: typeof passwordCost, salt: Buffer, key: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

/**
 * True when the password is that of the stored hash. Without a stored hash it does the same work and returns false, so that the
 * time does not reveal whether the customer exists.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, expected] = (stored ?? dummyHash()).split('$') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const expectedKey = Buffer.from(expected, 'base64')
  const key = await derive(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(key, expectedKey) && stored !== null
}

const dummyHash = () => hashText(passwordCost, Buffer.alloc(16), Buffer.alloc(LENGTH))

/** Node has 4 threads for hashing, pictures and files: hashing must not take them all. */
const hashings = turns<null>({ atOnce: 2 })

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return hashings.run(null, () => scryptKey(password, salt, cost))
}

function scryptKey(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 256 * 1024 * 1024 }
    scrypt(password.normalize('NFC'), salt, LENGTH, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
