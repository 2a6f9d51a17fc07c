// The number of a card in 40 forms, and a cv2, are sent through every parameter, path, header and body that does not keep a text by
// its nature (names, tips, notes); afterwards all that the service stored, logged, counted and showed is searched for their digits.

import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { engine, KEY, newTestDatabase, startTestService, type TestService } from '../harness/service.ts'
import { newDepositor } from '../harness/wallets.ts'
import { deliveriesOf, newWebhook, startReceiver } from '../harness/webhooks.ts'

const digits = (count: number) => Array.from({ length: count }, () => randomInt(0, 10)).join('')
/** Long enough to be told apart from all other digits. */
const NUMBER = `4${digits(15)}`
/** Longer than any, so that it can be found: what is said of its name and its place holds for four digits too. */
const CV2 = `9${digits(10)}`

const inGroups = (sign: string) => NUMBER.replace(/\d{4}(?=\d)/g, `$&${sign}`)
const each = (write: (digit: string) => string) => NUMBER.replace(/\d/g, write)
const hex = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')
const FULL_WIDTH = each((digit) => String.fromCodePoint(0xff10 + Number(digit)))

/** As text. */
const FORMS = [
  ...[
    '',
    ' ',
    '-',
    '.',
    '_',
    '/',
    ',',
    ':',
    '|',
    '*',
    '~',
    '\t',
    ' - ',
    ' – ',
    '...',
    '\u00a0',
    '\u200b',
    '--',
    ' . ',
  ].map(inGroups),
  ...[each((digit) => `${digit} `), each((digit) => `${digit}-`), FULL_WIDTH],
  ...[each((digit) => String.fromCodePoint(0x660 + Number(digit))), NUMBER.slice(0, 6) + inGroups(' ').slice(7)],
  ...[`card ${NUMBER}`, `${NUMBER}=3012`, `%B${NUMBER}^A/B^3012`, `;${NUMBER}?`, `x${NUMBER}`, `${NUMBER}x`],
]
/** As it is sent in a query or a form. */
const ENCODED = [
  ...FORMS.map(encodeURIComponent),
  ...[
    hex(NUMBER),
    hex(hex(NUMBER)),
    hex(inGroups(' ')),
    hex(FULL_WIDTH),
    inGroups('+'),
    inGroups('%20'),
    inGroups('%2520'),
  ],
  ...[inGroups('%252D'), `5%26cv2=${NUMBER}`, `5;cv2=${NUMBER}`, `5%0Acv2=${NUMBER}`, `5%2526cv2%253D${NUMBER}`],
]
const CV2_NAMES = [
  'cv2',
  '%63v2',
  '%2563v2',
  'CVV',
  'cvc',
  'card.cv2',
  '5;cv2',
  'amount=5%26cv2',
  'amount=5%0Acv2',
  'x[cv2]',
]

const SETTINGS = { LOG_LEVEL: 'debug', RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_PER_MINUTE: '0' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const methodsOf = (service: TestService) =>
  service.operator('GET', `/operator/v1/applications/${KEY}/requests?limit=200`)

test('is stored, logged, counted and shown nowhere', async () => {
  const testDatabase = await newTestDatabase()
  const service = await startTestService(SETTINGS, testDatabase, { webhooks: true })
  const shown: string[] = []
  try {
    const { ticket, method, id } = await newDepositor(service)
    const calls = publicCalls(method)
    for (const [index, { verb, target, form, headers }] of calls.entries()) {
      const body = form === undefined ? {} : { body: form, headers: { ...FORM, ...headers } }
      await service.call(verb, target, { ticket, ...(headers === undefined ? {} : { headers }), ...body })
      // Before others take their place among the last ones.
      if (index % 150 === 149) shown.push(JSON.stringify((await methodsOf(service)).body))
    }
    const requests = (await methodsOf(service)).body
    expect(requests.items.length).toBeGreaterThan(100)
    for (const path of operatorPaths(id)) await service.operator('GET', path)
    await answerOfWebhook(service)
    shown.push(JSON.stringify(requests))
    for (const path of ['audit?limit=100', 'events?limit=100', `customers/${id}/personal-data`, 'audit.csv'])
      shown.push(JSON.stringify((await service.operator('GET', `/operator/v1/${path}`)).body))
    shown.push(await (await fetch(`${service.operatorUrl}/metrics`)).text(), service.logged())
    const written = await everythingWritten(testDatabase.settings)
    for (const text of [...shown, ...written]) expect(found(text)).toEqual([])
    // The search finds what is there, in any form.
    for (const form of [...FORMS, ...ENCODED]) expect(found(`a ${form} b`)).toEqual([NUMBER])
    expect(written.some((text) => text.includes('411111******1111'))).toBe(true)
  } finally {
    await service.close()
    await testDatabase.remove()
  }
})

type Sent = { verb: string; target: string; form?: string; headers?: Record<string, string> }

/** Each operation with a form of the number in each of its places; each form in the places of money. */
function publicCalls(method: number | string): Sent[] {
  let next = 0
  const some = () => ENCODED[next++ % ENCODED.length] as string
  const everywhere = allOperations.flatMap(({ name, method: verb, path, parameters }): Sent[] => {
    const wrongPath = path.replace(/\{\w+\}/g, () => some())
    const fields = Object.entries(parameters).filter(
      ([field, { from }]) => from !== 'path' && !TEXTS.has(`${name}.${field}`),
    )
    const target = path.replace(/\{\w+\}/g, '1')
    const pairs = fields.filter(([, { from }]) => from !== 'header').map(([field]) => `${field}=${some()}`)
    const secret = `cv2=${CV2}&${pairs.join('&')}`
    return [
      { verb, target: wrongPath },
      ...pairs.map((pair): Sent => ({ verb, target: `${target}?${pair}` })),
      { verb, target: `${target}?${secret}` },
      { verb, target: `${target}/${some()}` },
      ...(verb === 'POST' ? [{ verb, target, form: secret }] : []),
    ]
  })
  const money = ENCODED.flatMap((form): Sent[] => [
    { verb: 'POST', target: `/v1/wallets/me?amount=${form}&cv2=${form}&id=${method}` },
    {
      verb: 'POST',
      target: '/v1/wallets/me/deposits',
      form: `id=${form}&amount=5&cv2=${CV2}&language=${form}&ip=${form}&userAgent=${form}`,
    },
    { verb: 'GET', target: `/v1/profiles/1?${form}` },
  ])
  const names = CV2_NAMES.flatMap((name): Sent[] => [
    { verb: 'POST', target: `/v1/wallets/me?amount=5&${name}=${CV2}` },
    { verb: 'POST', target: '/v1/wallets/me', form: `amount=5&${name}=${CV2}` },
  ])
  const headers = [
    'who-ticket',
    'who-apiKey',
    'idempotency-key',
    'last-event-id',
    'user-agent',
    'accept',
    'referer',
    'cookie',
    'x-request-id',
    'origin',
    'content-type',
    'if-none-match',
    'x-forwarded-for',
    'traceparent',
  ]
  return [
    ...everywhere,
    ...money,
    ...names,
    ...headers.map(
      (name): Sent => ({ verb: 'POST', target: '/v1/wallets/me?amount=5', headers: { [name]: inGroups('-') } }),
    ),
    ...['application/json', 'text/plain', 'multipart/form-data; boundary=x', ''].map(
      (type): Sent => ({
        verb: 'POST',
        target: '/v1/wallets/me',
        form: `{"card":"${NUMBER}","cv2":"${CV2}"}`,
        headers: { 'content-type': type },
      }),
    ),
  ]
}

/** What keeps what a customer wrote, because that is what it is for. */
const TEXTS = new Set([
  ...['updateMyProfile.name', 'updateMyProfile.biography', 'createCommentOnOutcomeId.text', 'appealDecision.text'],
  ...['flagProfile.note', 'flagComment.note'],
])

function operatorPaths(customer: number): string[] {
  return ENCODED.flatMap((form) => [
    `/operator/v1/customers/${form}`,
    `/operator/v1/customers?q=${form}`,
    `/operator/v1/search?q=${form}`,
    `/operator/v1/deposits?customerId=${form}`,
    `/operator/v1/customers/${customer}/deposits/${form}?${form}`,
  ])
}

/** An endpoint that answers every form under names of its own. */
async function answerOfWebhook(service: TestService): Promise<void> {
  const target = await startReceiver((response) => {
    const fields = FORMS.map((form, index) => [`field${index}`, form])
    const more = {
      security: { cvv: [CV2], code: { cv2: CV2 } },
      pwd: CV2,
      private: [[CV2]],
      apiCredentials: { a: CV2 },
    }
    response.writeHead(500, { 'x-card': NUMBER, 'x-other': encodeURIComponent(inGroups(' ')) })
    response.end(`${JSON.stringify({ ...more, ...Object.fromEntries(fields) })}\n${ENCODED.join('\n')}`)
  })
  const { id } = await newWebhook(service, target.url)
  await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
  await expect.poll(async () => (await deliveriesOf(service, id))[0]?.status).toBe(500)
  await target.close()
}

/** The digits that a text has, in whatever form. */
function found(text: string): string[] {
  const once = decoded(text)
  const readings = [text, once, decoded(once)].map((one) =>
    one
      .normalize('NFKC')
      .replace(/\p{Nd}/gu, asciiDigit)
      .replace(/[^0-9]/g, ''),
  )
  return [NUMBER, CV2].filter((number) => readings.some((reading) => reading.includes(number)))
}

const asciiDigit = (digit: string) => (/\d/.test(digit) ? digit : String((digit.codePointAt(0) as number) & 0xf))

function decoded(text: string): string {
  return text
    .replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Every file in the data folder and, on PostgreSQL, every row of every table. */
async function everythingWritten(settings: Record<string, string>): Promise<string[]> {
  const folder = settings.DATA_DIR as string
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  if (engine === 'sqlite') return texts
  const client = new pg.Client({ connectionString: settings.DATABASE_URL as string })
  await client.connect()
  try {
    const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`)
    for (const { tablename } of rows)
      texts.push(JSON.stringify((await client.query(`select * from ${tablename}`)).rows))
  } finally {
    await client.end()
  }
  return texts
}
