import type { FastifyInstance } from 'fastify'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultTable } from '../../src/faults.ts'
import { declaredFaults } from '../../src/http/declared-faults.ts'
import { type Operation, operationWith } from '../../src/http/operation.ts'
import { page } from '../../src/reference/page.ts'
import { serveReference } from '../../src/reference/serve.ts'
import { allOperations } from '../../src/service.ts'
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
  ['/docs/docs.css', 'text/css; charset=utf-8'],
  ['/docs/docs.js', 'text/javascript; charset=utf-8'],
  ['/docs/common.js', 'text/javascript; charset=utf-8'],
  ['/docs/send.js', 'text/javascript; charset=utf-8'],
  ['/docs/shared.js', 'text/javascript; charset=utf-8'],
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

test('with the operations of the contract alone, no faults of others are listed', () => {
  const faults = Object.values(faultTable).map(({ text }) => `>${text.replaceAll("'", '&#39;')}<`)
  const all = page(allOperations, SETTINGS)
  expect(faults.filter((text) => !all.includes(text))).toEqual([])
  const contract = allOperations.filter(({ extension }) => !extension)
  const text = page(contract, SETTINGS)
  expect(faults.filter((one) => !text.includes(one)).sort()).toEqual([
    '>No decision found for id<',
    '>The decision cannot be appealed, or no longer<',
    '>The decision is already appealed<',
    '>You cannot mute or block more than 5000 profiles<',
    '>You cannot mute or block yourself<',
  ])
})

test('page and collection have the address that clients use', async () => {
  const text = await (await fetch(`${url}/docs`)).text()
  expect(text).not.toContain('localhost')
  expect(text.split('https://bets.example/a&amp;b/v1/').length).toBeGreaterThan(allOperations.length)
  const { variable } = JSON.parse(await (await fetch(`${url}/postman.json`)).text())
  expect(variable[0]).toMatchObject({ key: 'baseUrl', value: ADDRESS })
})

test('OpenAPI names every operation', async () => {
  const text = await (await fetch(`${url}/openapi.json`)).text()
  for (const { name } of allOperations) expect(text).toContain(`"operationId":"${name}"`)
})

describe('the page', () => {
  const text = page(allOperations, SETTINGS)

  test('allows nothing inline and nothing from elsewhere', async () => {
    const policy = (await fetch(`${url}/docs`)).headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]),
    )
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(text).not.toMatch(/ style=| on\w+="|<style|<script(?! type="module" src="\/docs\/docs.js"><)/)
    const linked = [...text.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, target]) => target as string)
    const paths = TYPES.map(([path]) => path)
    for (const target of linked) expect(paths).toContain(target)
  })

  test('is well-formed, its ids are unique, and its references exist', () => {
    const { ids, names } = identifiers(text)
    expect(new Set(ids).size).toBe(ids.length)
    expect(names.length).toBeGreaterThan(100)
    for (const name of names) expect(ids).toContain(name)
  })

  test('shows every operation with its parameters and faults', () => {
    for (const row of allOperations) {
      const { name, summary, parameters, alsoAt = [] } = row
      const section = sectionOf(text, name)
      expect(section).toContain(escaped(summary))
      for (const path of alsoAt) expect(section.replace(/<\/?var>/g, '')).toContain(path)
      for (const parameter of Object.keys(parameters)) expect(section).toContain(`<code>${parameter}</code>`)
      for (const { kind, shared } of declaredFaults(row)) {
        if (!shared) expect(section).toContain(`<code>${faultTable[kind].code}</code>`)
      }
    }
  })

  test('lists every fault of the table', () => {
    const errors = text.slice(text.indexOf('id="all-faults"'))
    for (const { code, text: words } of Object.values(faultTable)) {
      expect(errors).toContain(`<code>${code}</code>`)
      expect(errors).toContain(escaped(words))
    }
  })

  test('prefills forms only where the service has the sandbox’s data', () => {
    const elsewhere = page(allOperations, { ...SETTINGS, sandbox: false })
    const filled = (written: string) => [
      ...written.matchAll(/\svalue="[^"]+" placeholder=|<option value="[^"]+" selected/g),
    ]
    expect(filled(text).length).toBeGreaterThan(20)
    expect(filled(elsewhere)).toEqual([])
    expect(elsewhere).toContain('data-sandbox="no"')
  })

  test('is filtered by fault codes and words too', () => {
    const found = (word: string) =>
      [...text.matchAll(/<li data-words="([^"]+)"><a href="#([\w-]+)"/g)]
        .filter(([, words]) => words?.includes(word))
        .map(([, , id]) => id)
    expect(found('30432')).toEqual(['errors', 'updateMyProfile', 'createCommentOnOutcomeId'])
    expect(found('insufficient')).toEqual(['errors', 'makeTransaction'])
    expect(found('10030')).toEqual(['errors'])
    for (const { code } of Object.values(faultTable)) expect(found(code), code).toContain('errors')
  })

  test('has a label for every field', () => {
    const labelled = [...text.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id)
    for (const [field] of text.matchAll(/<(?:input|select) [^>]*>/g)) {
      if (field.includes('type="radio"')) continue
      expect(labelled).toContain(/id="([^"]+)"/.exec(field)?.[1])
    }
  })
})

test('the page escapes the texts of the table', () => {
  const nasty = '</code><script>alert("1")</script> & \''
  const row: Operation = operationWith<object>()({
    name: 'nasty',
    summary: nasty,
    method: 'PUT',
    path: '/v1/profiles/nasty',
    ticket: 'none',
    parameters: {
      one: {
        from: 'query',
        meaning: nasty,
        required: true,
        absent: '',
        blank: 'value',
        parse: (raw) => raw,
        faultName: nasty,
        schema: { enum: [nasty], default: nasty },
      },
    },
    answer: { status: 204, document: null },
    faults: {},
    handle: async () => null,
  })
  const written = page([row], SETTINGS)
  expect(written).not.toContain('<script>alert')
  expect(() => identifiers(written)).not.toThrow()
})

test('the page gives an operation that two rows share two anchors', () => {
  const [row] = allOperations.filter(({ name }) => name === 'getMyProfile') as unknown as [Operation]
  const { ids } = identifiers(page([row, { ...row, method: 'POST' }], SETTINGS))
  expect(ids).toEqual(expect.arrayContaining(['getMyProfile', 'getMyProfile-post']))
  expect(new Set(ids).size).toBe(ids.length)
})

/** The page is XML too, so that a text that was not escaped is a parse error. */
function identifiers(text: string): { ids: string[]; names: string[] } {
  const ids: string[] = []
  const names: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ attributes }) => {
    const { id, href, for: field, ...others } = attributes as Record<string, string>
    if (id !== undefined) ids.push(id)
    if (href?.startsWith('#')) names.push(href.slice(1))
    const references = [
      field,
      others['aria-labelledby'],
      others['aria-controls'],
      others['data-copies'],
      others['data-curl'],
      others['data-typescript'],
    ]
    names.push(...references.filter((name) => name !== undefined))
  })
  parser.write(text).close()
  return { ids, names }
}

function sectionOf(text: string, id: string): string {
  const start = text.indexOf(`<article id="${id}"`)
  expect(start, id).toBeGreaterThan(0)
  return text.slice(start, text.indexOf('</article>', start))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&#39;')
}
