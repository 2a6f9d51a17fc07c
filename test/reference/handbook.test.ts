// The documents as pages: nothing is left of Markdown, what they name is there, and each operation leads to what explains it. That
// their links lead somewhere is in the tests of both references.

import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { operatorAreas } from '../../src/operator/operations.ts'
import { operatorOpenApi } from '../../src/operator/server/openapi.ts'
import { type OpenApi, operationsOf } from '../../src/reference/document.ts'
import { GUIDE_OF_AREA, guidesAbout, handbookGuides, renderGuide } from '../../src/reference/handbook.ts'
import { renderMarkdown } from '../../src/reference/markdown.ts'
import { openApi } from '../../src/reference/openapi.ts'
import { publicDocuments } from '../../src/reference/serve.ts'
import { markupOf } from '../harness/reference-pages.ts'

const ofPublic = operationsOf(openApi(allOperations) as OpenApi)
const ofOperator = operationsOf(operatorOpenApi(operatorAreas) as object as OpenApi)
const guides = handbookGuides()
const pages = guides.map((guide) => ({ id: guide.id, guide, ...renderGuide(guide, ofPublic) }))

const PLACE = { address: (target: string) => target, titleOf: () => undefined, pageAbout: () => undefined }
const markup = (text: string) => renderMarkdown(text, PLACE).content.markup.trim()

test('README and all of docs/ are guides, each once', () => {
  const documents = readdirSync(new URL('../../docs', import.meta.url)).filter((name) => name.endsWith('.md'))
  const ids = guides.map(({ id }) => id)
  expect(ids.toSorted()).toEqual(['changelog', 'readme', ...documents.map((name) => name.slice(0, -3))].toSorted())
  expect(guides.filter(({ title, summary }) => title === '' || summary === '')).toEqual([])
})

describe.each(pages)('$id', ({ content, headings }) => {
  test('is well-formed, and has no Markdown in it', () => {
    expect(() => markupOf(`<main>${content.markup}</main>`)).not.toThrow()
    const words = content.markup.replace(/<code[^>]*>[\s\S]*?<\/code>/g, '…').replace(/<[^>]*>/g, '')
    expect(words.match(/.*(\*\*|\]\(|`|^#+ |^\| |\|$|^ *- ).*/gm)).toBeNull()
    for (const { id } of headings) expect(content.markup).toContain(` id="${id}">`)
  })
})

test.each([
  ['one\ntwo\n\nthree', '<p>one\ntwo</p>\n<p>three</p>'],
  [
    'a `<b>` & **c _d_** *e* f_g_h',
    '<p>a <code>&lt;b&gt;</code> &amp; <strong>c <em>d</em></strong> <em>e</em> f_g_h</p>',
  ],
  [
    '[`x`](y.md#z) <https://a.example/b>',
    '<p><a href="y.md#z"><code>x</code></a> <a href="https://a.example/b">https://a.example/b</a></p>',
  ],
  ['- one\n  two\n- three\n\n  four', '<ul>\n<li>one\ntwo</li><li>three<p>four</p>\n</li></ul>'],
  ['1. one\n2. two\n\nthree', '<ol>\n<li>one</li><li>two</li></ol>\n<p>three</p>'],
  ['> one\n> two', '<blockquote>\n<p>one\ntwo</p>\n</blockquote>'],
  ['<!-- not shown -->', ''],
  ['<script>a</script>', '&lt;script&gt;a&lt;/script&gt;'],
  ['a <b onclick="c">d</b>', '<p>a &lt;b onclick=&quot;c&quot;&gt;d&lt;/b&gt;</p>'],
])('%j', (text, expected) => {
  expect(markup(text)).toBe(expected)
})

test('headings have the names that GitHub gives them, also when they repeat', () => {
  const { title, headings } = renderMarkdown('# A `b`\n## C, d & e\n### C, d & e\n## É-ü_1', PLACE)
  expect([title, headings.map(({ id }) => id)]).toEqual(['A b', ['c-d--e', 'c-d--e-1', 'é-ü_1']])
})

test('a table has its cells, and a diagram of states is one', () => {
  expect(markup('| a | b |\n| --- | --- |\n| `x \\| y` | 2 |')).toContain('data-title="a"><code>x | y</code></td>')
  expect(markup('```mermaid\nstateDiagram-v2\n  A --> B: done\n```')).toContain('data-title="From"><code>A</code></td>')
})

test('what a document calls by its path leads to the operation, in whatever way it is written', () => {
  const withdrawals = guides.find(({ id }) => id === 'withdrawals')
  const ofListener = (operations: typeof ofPublic) =>
    renderGuide(withdrawals as (typeof guides)[number], operations).content.markup
  expect(ofListener(ofPublic)).toContain(
    '<a href="/docs/makeWithdrawal"><code>POST /v1/wallets/me/withdrawals</code></a>',
  )
  expect(ofListener(ofOperator)).not.toContain('/docs/makeWithdrawal')
  expect(ofListener(ofOperator)).toContain('href="/docs/recordOutsidePayment"')
})

test('each operation leads to the guides that explain it', () => {
  const areas = new Set([...ofPublic, ...ofOperator].map(({ tags: [area] }) => area))
  const ids = guides.map(({ id }) => id)
  expect([...areas].filter((area) => !ids.includes(`${GUIDE_OF_AREA[area]}`))).toEqual([])
  for (const operation of [...ofPublic, ...ofOperator]) expect(guidesAbout(operation), operation.name).not.toEqual([])
  const idsAbout = (name: string) =>
    [...ofPublic, ...ofOperator]
      .filter((one) => one.name === name)
      .flatMap((one) => guidesAbout(one).map(({ id }) => id))
  expect(idsAbout('makeWithdrawal')).toContain('withdrawals')
  expect(idsAbout('appealDecision')).toContain('moderation')
  expect(idsAbout('getProfile')).toEqual(['tour'])
})

test('/llms.txt lists all guides, as texts', () => {
  const settings = { sandbox: true, picture: '', address: () => 'https://bets.example' }
  const documents = publicDocuments(allOperations, settings)
  const text = String(documents.find(({ path }) => path === '/llms.txt')?.body())
  expect(text).toMatch(/^# Paddock\n\n> .+\n\n## /)
  const paths = [...text.matchAll(/\]\(https:\/\/bets\.example([^)]+)\)/g)].map(([, path]) => path)
  for (const { id } of guides) expect(paths).toContain(`/guides/${id}.md`)
  expect(paths.filter((path) => !documents.some((one) => one.path === path))).toEqual([])
})
