// Random cv2 and card numbers are sent in every possible way; afterwards every file that the service wrote, its log, its
// answers and its database are searched for them.

import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { engine, KEY, newTestDatabase, startTestService } from '../harness/service.ts'
import { addCard, deposit, sweepUntil } from '../harness/wallets.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Too long for a cv2, so that it can be searched for: refused, but it takes the same way in. */
const long = () => `${randomInt(10 ** 13, 10 ** 14)}`

test('no cv2 and no card number is stored, logged or returned', async () => {
  const testDatabase = await newTestDatabase()
  const service = await startTestService({ GATEWAY_TIMEOUT_MS: '100', LOG_LEVEL: 'debug' }, testDatabase)
  const sentinels: string[] = []
  const answers: string[] = []
  const sentinel = (text: string) => {
    sentinels.push(text)
    return text
  }
  try {
    const tokens = [
      'approve',
      'decline',
      'wrong-cv2',
      'timeout-after',
      'error-after',
      'invalid-card',
      'capture-refused',
    ]
    for (const token of tokens) {
      const customer = await service.customer()
      const { ticket } = customer
      const method = await addCard(service, customer, { token: `sandbox:${token}` })
      // A real cv2 is too short to search for, so the search is for its parameter.
      answers.push((await deposit(service, { ticket, method, cv2: '7391' })).text)
      const query = `transactionType=deposit&amount=10&id=${method}`
      for (const bad of [`cv2=${sentinel(long())}`, `cv2=1&cv2=${sentinel(long())}`, `cv2=%00${sentinel(long())}`]) {
        const reply = await service.call('POST', `/v1/wallets/me?${query}&${bad}`, { ticket })
        answers.push(reply.text)
        expect(reply.text).toMatch(/2400[59]|10071/)
      }
      answers.push((await deposit(service, { ticket, method, cv2: sentinel(long()) })).text)
      answers.push((await deposit(service, { ticket, method, amount: sentinel(long()), cv2: '7391' })).text)
      const form = { ticket, body: `${query}&amount=${sentinel(long())}`, headers: FORM }
      answers.push((await service.call('POST', '/v1/wallets/me', form)).text)
      answers.push((await service.call('GET', `/v1/profiles/${sentinel(long())}`)).text)
    }
    const owner = await service.customer()
    for (const field of ['number', 'country', 'expiryDate'] as const) {
      const number = sentinel(`4929${randomInt(10 ** 11, 10 ** 12)}`)
      const body = {
        type: 'CARD',
        token: 't',
        limits: { minDeposit: '5', maxDeposit: '6' },
        card: { number: '411111******1111', expiryDate: '12/49', country: 'GB', scheme: 'VISA', [field]: number },
      }
      const reply = await service.operator('PUT', `/operator/v1/customers/${owner.id}/payment-methods/4242`, body)
      expect(reply.status).toBe(422)
      answers.push(JSON.stringify(reply.body))
    }
    const approved = await service.customer()
    const method = await addCard(service, approved)
    await deposit(service, { ticket: approved.ticket, method, cv2: '7391' })
    await sweepUntil(service, approved.id, ['CAPTURED'])
    // Stored when they are read, if not before.
    const requests = await service.operator('GET', `/operator/v1/applications/${KEY}/requests?limit=200`)
    expect(requests.body.items.length).toBeGreaterThan(40)
    answers.push(JSON.stringify(requests.body))
    const texts = [service.logged(), ...answers, ...(await everythingWritten(testDatabase.settings))]
    for (const one of sentinels) expect(texts.some((text) => text.includes(one))).toBe(false)
    for (const text of texts) expect(text).not.toMatch(/cv[c2]["'=: ]+7391/)
    // The search finds what is stored.
    expect(texts.some((text) => text.includes('411111******1111'))).toBe(true)
  } finally {
    await service.close()
    await testDatabase.remove()
  }
})

/** Every file in the data folder (database, WAL, the bank) and, on PostgreSQL, every row of every table. */
async function everythingWritten(settings: Record<string, string>): Promise<string[]> {
  const folder = settings.DATA_DIR as string
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  if (engine === 'sqlite') return texts
  const client = new pg.Client({ connectionString: settings.DATABASE_URL as string })
  await client.connect()
  try {
    const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`)
    for (const { tablename } of rows) {
      texts.push(JSON.stringify((await client.query(`select * from ${tablename}`)).rows))
    }
  } finally {
    await client.end()
  }
  return texts
}
