import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const document = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')

/** `file`: “title”, “title” */
const cited = [...document.matchAll(/`(test\/[\w/.-]+)`: ((?:“[^”]+”(?:, )?)+)/g)].flatMap(([, file, titles]) =>
  [...`${titles}`.matchAll(/“([^”]+)”/g)].map(([, title]) => ({ file: `${file}`, title: `${title}` })),
)

test.each(cited)('docs/security.md names a test that exists: $title', ({ file, title }) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).toContain(title)
})

test('every risk of the OWASP API Security Top 10 has its row and a test', () => {
  const rows = document.split('\n').filter((line) => /^\| API\d+ /.test(line))
  expect(rows.map((row) => /API\d+/.exec(row)?.[0])).toEqual(
    Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
  )
  expect(rows.filter((row) => !/`test\/[\w/.-]+`: “/.test(row))).toEqual([])
})
