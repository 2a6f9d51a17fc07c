import { execFileSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { verifyPassword } from '../../src/identity/sessions/password.ts'

/** A tenth of the cost of a real hash. */
const stored = `scrypt$16384$8$1$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`

test('hashing many passwords leaves threads to pictures and files', async () => {
  let hashed = 0
  const hashing = Array.from({ length: 8 }, async () => {
    await verifyPassword('a password', stored)
    hashed++
  })
  await stat('.')
  expect(hashed).toBeLessThanOrEqual(1)
  await Promise.all(hashing)
  expect(hashed).toBe(8)
})

test('a stored hash has the cost that OWASP recommends, and no two are alike', () => {
  const program = `import { hashPassword } from './src/identity/sessions/password.ts'
    console.log(await hashPassword('a password'), await hashPassword('a password'))`
  // In a process of its own: in this one passwords cost less.
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const [first, second] = output.trim().split(' ')
  expect([first, second]).toEqual([
    expect.stringMatching(/^scrypt\$32768\$8\$3\$/),
    expect.stringMatching(/^scrypt\$32768\$8\$3\$/),
  ])
  expect(first).not.toBe(second)
})
