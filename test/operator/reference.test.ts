// The operator's reference: every row with its fields and problems, and nothing that its headers forbid.

import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { operatorAreas } from '../../src/operator/operations.ts'
import { rolesOf } from '../../src/operator/server/call-roles.ts'
import { pathSchema } from '../../src/operator/server/fields.ts'
import type { OperatorArea } from '../../src/operator/server/operation.ts'
import { problemsOf } from '../../src/operator/server/operation-problems.ts'
import { problem } from '../../src/operator/server/problem-schema.ts'
import { operatorPages } from '../../src/operator/server/reference.ts'
import { ROLES } from '../../src/platform/config/roles.ts'
import { deadLinks, markupOf, textsOf } from '../harness/reference-pages.ts'
import { type Json, useService } from '../harness/service.ts'

const service = useService()
const ADDRESS = 'https://operators.example'
const operations = operatorAreas.flatMap((area) => area.operations)

/** Every page and file of the reference, by path. */
function pagesOf(areas: readonly OperatorArea[], sandbox = true): Map<string, string> {
  return textsOf(operatorPages(areas, { sandbox, address: () => ADDRESS }))
}

const pages = pagesOf(operatorAreas)
const page = (path: string) => pages.get(path) ?? ''
const html = [...pages].filter(([, text]) => text.startsWith('<!DOCTYPE html>'))
/** Fields of every problem, which the guide shows. */
const common = propertiesOf(problem).map(([name]) => name)

const TYPES: [path: string, type: string][] = [
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/', 'text/html; charset=utf-8'],
  ['/docs/putSport', 'text/html; charset=utf-8'],
  ['/docs/roles', 'text/html; charset=utf-8'],
  ['/guides', 'text/html; charset=utf-8'],
  ['/guides/withdrawals', 'text/html; charset=utf-8'],
  ['/guides/images/reference.png', 'image/png'],
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

test.each([
  ['localhost:8081', 'localhost'],
  ['10.1.2.3:8081', '10.1.2.3'],
  ['attacker.example:8081', '127.0.0.1'],
])('where the public API is tried: called as %s it leads to %s', async (host, expected) => {
  const location = await new Promise<string>((resolve, reject) => {
    get(`${service.operatorUrl}/try`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.headers.location ?? '')
    }).once('error', reject)
  })
  const { port } = new URL(service.publicUrl)
  expect(location).toBe(`http://${expected}:${port}/docs/getProfile`)
})

test('its commands have the address it is served from', async () => {
  for (const path of ['/docs/putSport', '/docs/authentication']) {
    const text = await (await fetch(`${service.operatorUrl}${path}`)).text()
    expect(text).toContain(`${service.operatorUrl}/operator/v1/`)
    expect(text).not.toContain('localhost')
  }
})

test('the public listener does not serve it', async () => {
  for (const path of ['/docs', '/docs/getProfile']) {
    expect(await (await fetch(`${service.publicUrl}${path}`)).text()).not.toContain('/operator/v1')
  }
  for (const path of ['/docs/putSport', '/docs/roles']) {
    expect((await fetch(`${service.publicUrl}${path}`)).status).toBe(404)
  }
})

test('the first view is small, and no page is large', () => {
  const sizes = html.map(([path, text]) => [path, text.length, markupOf(text).elements] as const)
  // It has some 240 bytes and 6 elements for each operation, and 90 bytes for each guide.
  expect(sizes.filter(([path, bytes, elements]) => path === '/docs' && bytes < 51_000 && elements < 1250)).toHaveLength(
    1,
  )
  // The largest describes the personal data, all that is stored of a customer.
  expect(sizes.filter(([, bytes, elements]) => bytes > 165_000 || elements > 4300)).toEqual([])
})

test('pages have nothing inline, and link only to what is served', () => {
  const others = ['/', '/operator/openapi.json']
  for (const [path, text] of html) {
    expect(text, path).not.toMatch(/ style=| on\w+="|<style|<script(?! type="module" src="\/docs\/page.js"><)/)
    expect(deadLinks(path, text, (target) => pages.has(target) || others.includes(target))).toEqual([])
  }
})

test('the start page leads to every page, and has the ids that sections of the former page had', () => {
  const links = [...page('/docs').matchAll(/<a id="([\w-]+)" href="([^"]+)"/g)].map(([, id, target]) => [id, target])
  for (const { name } of operations) expect(links).toContainEqual([name, `/docs/${name}`])
  for (const guide of ['authentication', 'roles', 'formats', 'lists', 'problems', 'audit-trail']) {
    expect(links).toContainEqual([guide, `/docs/${guide}`])
  }
  expect(links).toContainEqual(['shared-problems', '/docs/problems#shared-problems'])
  for (const { name } of operatorAreas) expect(page('/docs')).toContain(`<section class="area" id="${name}"`)
})

describe.each(operations.map((operation) => ({ operation, name: operation.name })))('$name', ({ operation }) => {
  const text = page(`/docs/${operation.name}`)
  const words = plain(text)
  const named = [...text.matchAll(/data-title="Field"><code>(.*?)<\/code>/g)].map(([, name]) => plain(`${name}`))

  test('has its method, path, summary, description and roles', () => {
    const { summary, description = '' } = operation
    expect(words).toContain(`${operation.method} /operator/v1${operation.path}`)
    expect(words).toContain(`${summary}. ${description}`.trimEnd().replaceAll('`', ''))
    expect(words).toContain(`Roles: ${rolesOf(operation).join(', ')} (`)
  })

  test('has every parameter, every field of its body and of its answers, and what they mean', () => {
    const { path, query, body, answer } = operation
    const parameters = [
      ...Object.keys(pathSchema(path)).map((name) => [name, 'path']),
      ...Object.keys(query?.properties ?? {}).map((name) => [name, 'query']),
    ]
    for (const [name, place] of parameters) {
      expect(text).toContain(`data-title="Name"><code>${name}</code></td>`)
      expect(text).toContain(`id="${operation.name}-${name}" name="${name}" data-from="${place}"`)
    }
    const schemas: Json[] = [body === 'stream' ? undefined : body, ...Object.values(answer)]
    for (const schema of schemas.filter((one) => one)) {
      for (const [name, description] of propertiesOf(schema)) {
        expect(named).toContain(name)
        expect(words).toContain(description.replaceAll('`', ''))
      }
    }
    for (const status of Object.keys(answer)) expect(words).toMatch(new RegExp(`Response [^:]*${status}`))
  })

  test('has every problem', () => {
    for (const { status, when, isShared, schema } of problemsOf(operation)) {
      expect(text).toContain(`<code>${status}</code>`)
      if (!isShared) expect(words).toContain(when.replaceAll('`', ''))
      for (const [name] of propertiesOf(schema)) if (!common.includes(name)) expect(named).toContain(name)
    }
  })
})

test('the guide has every problem that operations share', () => {
  const guide = plain(page('/docs/problems'))
  const shared = operations.flatMap((operation) => problemsOf(operation).filter(({ isShared }) => isShared))
  for (const { status, when } of shared) {
    expect(guide).toContain(`${status}`)
    expect(guide).toContain(when.replaceAll('`', ''))
  }
})

test('the guide has every role', () => {
  for (const role of ROLES) expect(page('/docs/roles')).toContain(`<td><code>${role}</code></td>`)
})

test('forms are prefilled only where the service has the sandbox’s data', () => {
  const filled = (texts: Iterable<string>) => [
    ...[...texts]
      .join()
      .matchAll(/\svalue="[^"]+" placeholder=|<option value="[^"]+" selected|placeholder="[^"]+">\n[^<]/g),
  ]
  expect(filled(pages.values()).length).toBeGreaterThan(40)
  expect(filled(pagesOf(operatorAreas, false).values())).toEqual([])
})

test.each(html)(
  '%s is well-formed, its ids are unique, its references exist, and its fields have labels',
  (_path, text) => {
    const { ids, names, anchors, fields, labelled } = markupOf(text)
    expect(new Set(ids).size).toBe(ids.length)
    expect(names.filter((name) => !ids.includes(name))).toEqual([])
    expect(fields.filter((field) => !labelled.includes(field))).toEqual([])
    expect(anchors.filter(({ path, id }) => !markupOf(page(path)).ids.includes(id))).toEqual([])
  },
)

test('it escapes the texts of the rows', () => {
  const nasty = '</code><script>alert("1")</script> & \''
  const [area] = operatorAreas as [(typeof operatorAreas)[number]]
  const rows = area.operations.map((row) => ({ ...row, summary: nasty, description: nasty, problems: { 404: nasty } }))
  const written = pagesOf([{ ...area, description: nasty, operations: rows }])
  for (const path of ['/docs', ...rows.map(({ name }) => `/docs/${name}`)]) {
    expect(written.get(path)).not.toContain('<script>alert')
    expect(() => markupOf(written.get(path) ?? '')).not.toThrow()
  }
})

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
