// `npm test` in a folder whose tsc, Biome and vitest are small programs of ours.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'paddock-test-command-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

for (const name of ['test.js', 'command-line.js']) {
  cpSync(new URL(`../../scripts/${name}`, import.meta.url), join(root, 'scripts', name))
}
write('package.json', '{ "type": "module" }')
write('test-output/.keep', '')
write('node_modules/vitest/package.json', '{ "type": "module", "exports": { "./node": "./node.js" } }')
write('node_modules/vitest/node.js', 'export const createCLI = () => ({ parse() {} })')

/** Each tool ends with the code that the environment has for it, 0 by default. */
const TOOLS = { tsc: 'typescript/bin/tsc', biome: '@biomejs/biome/bin/biome', vitest: 'vitest/vitest.mjs' }
for (const [name, path] of Object.entries(TOOLS)) {
  write(
    `node_modules/${path}`,
    `console.log('${name} says', process.env.TEST_SUITES, ...process.argv.slice(2))
    if (process.env.${name} === '2') process.getBuiltinModule('fs').appendFileSync(process.env.TEST_FAILURES, 'a test: its error\\n')
    process.exit(process.env.${name})`,
  )
}

function npmTest(args: string[] = [], codes: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, tsc: '0', biome: '0', vitest: '0', ...codes }
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test.js', ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  return { status, stdout }
}

test('runs the suites of each change, or all: with --all, or with arguments', () => {
  const { status, stdout } = npmTest()
  expect(stdout.replaceAll(/ --maxWorkers=\d+/g, '').split('\n')).toEqual([
    'vitest says each-change run --project sqlite --project package',
    '',
    'The suites of postgres:',
    'vitest says each-change run --project postgres',
    '',
    'The suites of browser:',
    'vitest says each-change run --project browser',
    '',
    'Types and style: no errors.',
    '',
  ])
  expect(status).toBe(0)
  expect(npmTest(['--all']).stdout).toMatch(/^vitest says all run --project postgres /m)
  expect(npmTest(['test/flows']).stdout).toMatch(/^vitest says all run test\/flows$/m)
})

test.each(['tsc', 'biome'])('fails if %s does, and shows what it printed after the suites', (tool) => {
  const { status, stdout } = npmTest([], { [tool]: '3' })
  expect(status).toBe(1)
  expect(stdout).toMatch(new RegExp(`^vitest says each-change run [^]*^${tool} says `, 'm'))
  expect(stdout).not.toContain('no errors')
})

test('fails if a suite does, and ends with what failed', () => {
  const { status, stdout } = npmTest([], { vitest: '2' })
  expect(status).toBe(2)
  expect(stdout).toContain('Types and style: no errors.')
  const end = `\nFailed, see also above: sqlite, postgres, browser.\n${'a test: its error\n'.repeat(3)}\n`
  expect(stdout.endsWith(end)).toBe(true)
  expect(npmTest([], { vitest: '1' }).stdout).not.toContain('its error')
})
