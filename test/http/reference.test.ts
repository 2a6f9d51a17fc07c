import type { FastifyInstance } from 'fastify'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultTable } from '../../src/faults.ts'
import { declaredFaults } from '../../src/http/operations/declared-faults.ts'
import { type Operation, operationWith } from '../../src/http/operations/operation.ts'
import { allOperations } from '../../src/operations.ts'
import { publicDocuments, serveReference } from '../../src/reference/serve.ts'
import { deadLinks, markupOf, textsOf } from '../harness/reference-pages.ts'
import { serverWithRecords } from '../harness/server-with-records.ts'

const ADDRESS = 'https://bets.example/a&b'
const SETTINGS = { sandbox: true, picture: '/pictures/default.png', address: () => ADDRESS }
let app: FastifyInstance
let url: string
const served: string[] = []

beforeAll(async () => {
  app = serverWithRecords()
  app.addHook('onResponse', (request, _reply, done) => {
    served.push(request.record.operation)
    done()
  })
  serveReference(app, allOperations, SETTINGS)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => app.close())

const named = allOperations.filter(({ answer }) => answer.document !== null).map(({ name }) => name)
const schemas = [...new Set(named), 'faults', 'paddock'].map((name) => `/schemas/${name}.xsd`)
const TYPES: [path: string, type: string][] = [
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/postman.json', 'application/json; charset=utf-8'],
  ...schemas.map((path): [string, string] => [path, 'application/xml; charset=utf-8']),
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/', 'text/html; charset=utf-8'],
  ['/docs/errors', 'text/html; charset=utf-8'],
  ['/docs/getProfile', 'text/html; charset=utf-8'],
  ['/guides', 'text/html; charset=utf-8'],
  ['/guides/', 'text/html; charset=utf-8'],
  ['/guides/withdrawals', 'text/html; charset=utf-8'],
  ['/guides/readme.md', 'text/markdown; charset=utf-8'],
  ['/guides/images/reference.png', 'image/png'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/docs/search.json', 'application/json; charset=utf-8'],
  ['/docs/reference.css', 'text/css; charset=utf-8'],
  ['/docs/page.js', 'text/javascript; charset=utf-8'],
  ['/docs/credentials.js', 'text/javascript; charset=utf-8'],
  ['/docs/dom.js', 'text/javascript; charset=utf-8'],
  ['/docs/request.js', 'text/javascript; charset=utf-8'],
  ['/docs/samples.js', 'text/javascript; charset=utf-8'],
  ['/docs/send.js', 'text/javascript; charset=utf-8'],
  ['/docs/icon.svg', 'image/svg+xml'],
]

describe.each(TYPES)('%s', (path, type) => {
  test('answers with its type, without credentials, and is revalidated on each request', async () => {
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect((await response.text()).length).toBeGreaterThan(100)
    expect(served.at(-1)).toBe('reference')
  })

  test('is not sent again to a client that has it', async () => {
    const etag = (await fetch(url + path)).headers.get('etag') as string
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(url + path, { headers: { 'if-none-match': known } })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
    }
    expect((await fetch(url + path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test('answers HEAD', async () => {
    const response = await fetch(url + path, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

test.each(schemas)('%s is a valid schema', async (path) => {
  const schema = XmlDocument.fromString(await (await fetch(url + path)).text())
  expect(() => XsdValidator.fromDoc(schema)).not.toThrow()
})

test('the root redirects to the page', async () => {
  const response = await fetch(`${url}/`, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([302, '/docs'])
  expect((await fetch(url)).url).toBe(`${url}/docs`)
  expect(served.at(-1)).toBe('reference')
})

/** Every page and file of the reference, by path. */
function pagesOf(operations: readonly Operation[], settings = SETTINGS): Map<string, string> {
  return textsOf(publicDocuments(operations, settings))
}

const pages = pagesOf(allOperations)
const page = (path: string) => pages.get(path) ?? ''
const html = [...pages].filter(([, text]) => text.startsWith('<!DOCTYPE html>'))

test('with the operations of the contract alone, no faults of others are listed', () => {
  const faults = Object.values(faultTable).map(({ text }) => `>${text.replaceAll("'", '&#39;')}<`)
  expect(faults.filter((text) => !page('/docs/errors').includes(text))).toEqual([])
  const contract = pagesOf(allOperations.filter(({ extension }) => !extension)).get('/docs/errors') ?? ''
  expect(faults.filter((one) => !contract.includes(one)).sort()).toEqual([
    '>A withdrawal must be of more than 0<',
    '>No decision found for id<',
    '>No event found for id<',
    '>Nothing can be withdrawn to this payment method: choose one of the withdrawal options<',
    '>The decision cannot be appealed, or no longer<',
    '>The decision is already appealed<',
    '>The withdrawal is greater than this payment method may get: withdraw at most its max in the withdrawal options, which say why<',
    '>You cannot mute or block more than 5000 profiles<',
    '>You cannot mute or block yourself<',
  ])
})

test('pages and collection have the address that clients use', async () => {
  for (const { name } of allOperations) {
    const text = await (await fetch(`${url}/docs/${name}`)).text()
    expect(text).not.toContain('localhost')
    expect(text).toContain('https://bets.example/a&amp;b/v1/')
  }
  const { variable } = JSON.parse(await (await fetch(`${url}/postman.json`)).text())
  expect(variable[0]).toMatchObject({ key: 'baseUrl', value: ADDRESS })
})

test('OpenAPI names every operation', async () => {
  const text = await (await fetch(`${url}/openapi.json`)).text()
  for (const { name } of allOperations) expect(text).toContain(`"operationId":"${name}"`)
})

describe('the pages', () => {
  test('the first view is small, and no page is large', () => {
    const sizes = html.map(([path, text]) => [path, text.length, markupOf(text).elements] as const)
    expect(
      sizes.filter(([path, bytes, elements]) => path === '/docs' && bytes < 33_000 && elements < 780),
    ).toHaveLength(1)
    expect(sizes.filter(([, bytes, elements]) => bytes > 100_000 || elements > 3000)).toEqual([])
  })

  test('allow nothing inline and nothing from elsewhere, and link to what is served', async () => {
    const policy = (await fetch(`${url}/docs`)).headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]),
    )
    expect(policy).not.toMatch(/unsafe|\*/)
    const others = TYPES.map(([path]) => path)
    for (const [path, text] of html) {
      expect(text, path).not.toMatch(/ style=| on\w+="|<style|<script(?! type="module" src="\/docs\/page.js"><)/)
      expect(deadLinks(path, text, (target) => pages.has(target) || others.includes(target))).toEqual([])
    }
  })

  test.each(html)(
    '%s is well-formed, its ids are unique, its references exist, and its fields have labels',
    (_path, text) => {
      const { ids, names, anchors, fields, labelled } = markupOf(text)
      expect(new Set(ids).size).toBe(ids.length)
      expect(names.filter((name) => !ids.includes(name))).toEqual([])
      expect(fields.filter((field) => !labelled.includes(field))).toEqual([])
      const missing = anchors.filter(({ path, id }) => !markupOf(page(path)).ids.includes(id))
      expect(missing).toEqual([])
    },
  )

  test('show every operation with its parameters and faults', () => {
    for (const row of allOperations) {
      const { name, summary, parameters, alsoAt = [] } = row
      const text = page(`/docs/${name}`)
      expect(text.replace(/<\/?code>/g, '')).toContain(escaped(summary).replaceAll('`', ''))
      for (const path of alsoAt) expect(text.replace(/<\/?var>/g, '')).toContain(path)
      for (const parameter of Object.keys(parameters)) expect(text).toContain(`<code>${parameter}</code>`)
      for (const { kind, shared } of declaredFaults(row)) {
        if (!shared) expect(text).toContain(`<code>${faultTable[kind].code}</code>`)
      }
    }
  })

  test('the start page leads to every page, and has the ids that sections of the former page had', () => {
    const links = [...page('/docs').matchAll(/<a id="([\w-]+)" href="([^"]+)"/g)].map(([, id, target]) => [id, target])
    for (const { name } of allOperations) expect(links).toContainEqual([name, `/docs/${name}`])
    for (const guide of ['getting-started', 'representations', 'client', 'errors']) {
      expect(links).toContainEqual([guide, `/docs/${guide}`])
    }
    for (const part of ['shared-faults', 'all-faults']) expect(links).toContainEqual([part, `/docs/errors#${part}`])
    for (const area of ['sessions', 'profiles', 'communities', 'wallets']) {
      expect(page('/docs')).toContain(`<section class="area" id="${area}"`)
    }
  })

  test('the guide lists every fault of the table', () => {
    const errors = page('/docs/errors').slice(page('/docs/errors').indexOf('id="all-faults"'))
    for (const { code, text: words } of Object.values(faultTable)) {
      expect(errors).toContain(`<code>${code}</code>`)
      expect(errors).toContain(escaped(words))
    }
  })

  test('prefill forms only where the service has the sandbox’s data', () => {
    const filled = (texts: Iterable<string>) => [
      ...[...texts].join().matchAll(/\svalue="[^"]+" placeholder=|<option value="[^"]+" selected/g),
    ]
    const elsewhere = pagesOf(allOperations, { ...SETTINGS, sandbox: false })
    expect(filled(pages.values()).length).toBeGreaterThan(20)
    expect(filled(elsewhere.values())).toEqual([])
    expect(elsewhere.get('/docs/getProfile')).toContain('data-sandbox="no"')
  })

  test('are found by fault codes and words too', () => {
    const index: Record<string, string> = JSON.parse(page('/docs/search.json'))
    const pathsWith = (word: string) => Object.keys(index).filter((path) => index[path]?.includes(word))
    const found = (word: string) => pathsWith(word).filter((path) => path.startsWith('/docs/'))
    expect(found('30432')).toEqual(['/docs/errors', '/docs/updateMyProfile', '/docs/createCommentOnOutcomeId'])
    const ofMoney = ['makeTransaction', 'makeDeposit', 'finishChallenge', 'makeWithdrawal'].map(
      (name) => `/docs/${name}`,
    )
    expect(found('insufficient')).toEqual(['/docs/errors', ...ofMoney])
    expect(found('10030')).toEqual(['/docs/errors'])
    for (const { code } of Object.values(faultTable)) expect(found(code), code).toContain('/docs/errors')
    for (const { name } of allOperations) expect(found(name.toLowerCase())).toContain(`/docs/${name}`)
    expect(pathsWith('chargebacks')).toContain('/guides/refunds')
  })
})

test('pages escape the texts of the table', () => {
  const nasty = '</code><script>alert("1")</script> & \''
  const row: Operation = operationWith<object>()({
    name: 'nasty',
    summary: nasty,
    route: 'PUT /v1/profiles/nasty',
    ticket: 'none',
    parameters: {
      one: {
        from: 'query',
        meaning: nasty,
        required: true,
        absent: '',
        parse: (raw) => raw,
        faultName: nasty,
        schema: { enum: [nasty], default: nasty },
      },
    },
    handle: async () => null,
  })
  const written = pagesOf([row])
  for (const path of ['/docs', '/docs/nasty', '/docs/errors']) {
    expect(written.get(path)).not.toContain('<script>alert')
    expect(() => markupOf(written.get(path) ?? '')).not.toThrow()
  }
})

test('an operation that two rows share has two pages', () => {
  const [row] = allOperations.filter(({ name }) => name === 'getMyProfile') as unknown as [Operation]
  const written = pagesOf([row, { ...row, method: 'POST' }])
  expect(written.get('/docs/getMyProfile')).toContain('data-method="GET"')
  expect(written.get('/docs/getMyProfile_2')).toContain('data-method="POST"')
})

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&#39;')
}
