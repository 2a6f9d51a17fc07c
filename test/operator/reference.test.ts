// The operator's reference: every row with its fields and problems, and nothing that its headers forbid.

import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { operatorAreas } from '../../src/operator/operations.ts'
import { describeOperations } from '../../src/operator/server/description.ts'
import { problem } from '../../src/operator/server/problem-schema.ts'
import { operatorPage } from '../../src/operator/server/reference.ts'
import { type Json, useService } from '../harness/service.ts'

const service = useService()
const text = operatorPage(operatorAreas, { sandbox: true })
const operations = describeOperations(operatorAreas)
/** Fields of every problem, which the guide shows. */
const common = propertiesOf(problem).map(([name]) => name)

const TYPES: [path: string, type: string][] = [
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/', 'text/html; charset=utf-8'],
  ['/docs/docs.css', 'text/css; charset=utf-8'],
  ['/docs/operator.js', 'text/javascript; charset=utf-8'],
  ['/docs/common.js', 'text/javascript; charset=utf-8'],
  ['/docs/send.js', 'text/javascript; charset=utf-8'],
  ['/docs/shared.js', 'text/javascript; charset=utf-8'],
  ['/docs/icon.svg', 'image/svg+xml'],
]

test.each(TYPES)('%s is served without a token, with headers as strict as the console’s', async (path, type) => {
  const response = await fetch(service.operatorUrl + path)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  const { headers } = await fetch(service.operatorUrl)
  const strict = ['policy', 'options'].flatMap((end) => [...headers.keys()].filter((name) => name.endsWith(end)))
  expect(strict.length).toBeGreaterThanOrEqual(5)
  for (const name of strict) expect([name, response.headers.get(name)]).toEqual([name, headers.get(name)])
  const etag = response.headers.get('etag') ?? ''
  expect((await fetch(service.operatorUrl + path, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('its commands have the address it is served from', async () => {
  const text = await (await fetch(`${service.operatorUrl}/docs`)).text()
  expect(text).toContain(`${service.operatorUrl}/operator/v1/`)
  expect(text).not.toContain('localhost')
})

test('the public listener does not serve it', async () => {
  expect(await (await fetch(`${service.publicUrl}/docs`)).text()).not.toContain('/operator/v1')
  expect((await fetch(`${service.publicUrl}/docs/operator.js`)).status).toBe(404)
})

test('it has nothing inline, and links only to what is served', async () => {
  expect(text).not.toMatch(/ style=| on\w+="|<style|<script(?! type="module" src="\/docs\/operator.js"><)/)
  const linked = new Set([...text.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, target]) => target as string))
  expect([...linked].sort()).toEqual([
    '/',
    '/docs/docs.css',
    '/docs/icon.svg',
    '/docs/operator.js',
    '/operator/openapi.json',
  ])
})

describe.each(operations.map((operation) => ({ operation, name: operation.name })))('$name', ({ operation }) => {
  const section = sectionOf(operation.name)
  const words = plain(section)
  const named = [...section.matchAll(/data-title="Field"><code>(.*?)<\/code>/g)].map(([, name]) => plain(`${name}`))

  test('has its method, path, summary, description and roles', () => {
    expect(words).toContain(`${operation.method} /operator/v1${operation.path}`)
    expect(words).toContain(`${operation.summary}. ${operation.description.replaceAll('`', '')}`)
    expect(words).toContain(`Roles: ${operation.roles.join(', ')} (`)
  })

  test('has every parameter, every field of its body and of its answers, and what they mean', () => {
    for (const { name, in: place } of operation.parameters) {
      expect(section).toContain(`data-title="Name"><code>${name}</code></td>`)
      expect(section).toContain(`id="${operation.name}-${name}" name="${name}" data-from="${place}"`)
    }
    const schemas: Json[] = [operation.body?.schema, ...operation.answers.map(({ schema }) => schema)]
    for (const schema of schemas.filter((one) => one)) {
      for (const [name, description] of propertiesOf(schema)) {
        expect(named).toContain(name)
        expect(words).toContain(description.replaceAll('`', ''))
      }
    }
    for (const { status } of operation.answers) expect(words).toMatch(new RegExp(`Response [^:]*${status}`))
  })

  test('has every problem', () => {
    for (const { status, when, isShared, schema } of operation.problems) {
      expect(section).toContain(`<code>${status}</code>`)
      if (!isShared) expect(words).toContain(when.replaceAll('`', ''))
      for (const [name] of propertiesOf(schema)) if (!common.includes(name)) expect(named).toContain(name)
    }
  })
})

test('the guide has every problem that operations share', () => {
  const guide = plain(text.slice(text.indexOf('id="shared-problems"'), text.indexOf('id="audit-trail"')))
  const shared = operations.flatMap(({ problems }) => problems.filter(({ isShared }) => isShared))
  for (const { status, when } of shared) {
    expect(guide).toContain(`${status}`)
    expect(guide).toContain(when.replaceAll('`', ''))
  }
})

test('forms are prefilled only where the service has the sandbox’s data', () => {
  const elsewhere = operatorPage(operatorAreas, { sandbox: false })
  const filled = (page: string) => [
    ...page.matchAll(/\svalue="[^"]+" placeholder=|<option value="[^"]+" selected|placeholder="[^"]+">\n[^<]/g),
  ]
  expect(filled(text).length).toBeGreaterThan(40)
  expect(filled(elsewhere)).toEqual([])
})

test('it is well-formed, its ids are unique, what it names is there, and every field has a label', () => {
  const ids: string[] = []
  const names: string[] = []
  const fields: string[] = []
  const labelled: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name: tag, attributes }) => {
    const { id, href, for: field, ...others } = attributes as Record<string, string>
    if (id !== undefined) ids.push(id)
    if (href?.startsWith('#')) names.push(href.slice(1))
    if (['input', 'select', 'textarea'].includes(tag)) fields.push(`${id}`)
    if (field !== undefined) labelled.push(field)
    for (const key of ['aria-labelledby', 'aria-controls', 'data-copies', 'data-curl']) {
      if (others[key] !== undefined) names.push(others[key])
    }
  })
  parser.write(text).close()
  expect(new Set(ids).size).toBe(ids.length)
  expect(names.filter((name) => !ids.includes(name))).toEqual([])
  expect(fields.length).toBeGreaterThan(operations.length)
  expect(fields.filter((field) => !labelled.includes(field))).toEqual([])
})

test('it escapes the texts of the rows', () => {
  const nasty = '</code><script>alert("1")</script> & \''
  const [area] = operatorAreas as [(typeof operatorAreas)[number]]
  const rows = area.operations.map((row) => ({ ...row, summary: nasty, description: nasty, problems: { 404: nasty } }))
  const page = operatorPage([{ ...area, description: nasty, operations: rows }], { sandbox: true })
  expect(page).not.toContain('<script>alert')
})

function sectionOf(id: string): string {
  const start = text.indexOf(`<article id="${id}"`)
  expect(start, id).toBeGreaterThan(0)
  return text.slice(start, text.indexOf('</article>', start))
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function plain(markup: string): string {
  return markup.replace(/<[^>]+>/g, '').replace(/&(\w+|#\d+);/g, (_, name) => ENTITIES[name] ?? '?')
}

/** The path of every property in the schema, with its description. Read apart from the page's own way. */
function propertiesOf(schema: Json, path = ''): [name: string, description: string][] {
  const inner = (schema.anyOf ?? []).flatMap((option: Json) => propertiesOf(option, path))
  if (schema.items !== undefined) inner.push(...propertiesOf(schema.items, `${path}[]`))
  if (typeof schema.additionalProperties === 'object')
    inner.push(...propertiesOf(schema.additionalProperties, `${path}.*`))
  for (const [name, one] of Object.entries<Json>(schema.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`
    inner.push([at, one.description ?? ''], ...propertiesOf(one, at))
  }
  return inner
}
