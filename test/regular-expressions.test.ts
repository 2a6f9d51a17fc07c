// Regular expressions that can take polynomial time let one header or one text stop the process. Each one in what we write is
// checked by recheck, those included that only meet texts of our own: it costs less to write them so than to prove it.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { allOperations } from '../src/operations.ts'
import { operatorAreas } from '../src/operator/operations.ts'
import { isEachChange } from './harness/each-change.ts'

type Node = { type: string; start: number; end: number; [field: string]: unknown }
type Expression = { place: string; source: string; flags: string }
type Diagnostics = { status: 'safe' | 'vulnerable' | 'unknown'; complexity?: { summary: string }; error?: object }
type Options = Readonly<Record<string, number | null>>
type Recheck = { checkSync(source: string, flags: string, options: Options): Diagnostics }

// Of its engines the one in JavaScript: no other exists for every machine.
const recheck = createRequire(import.meta.url)('recheck/lib/browser.js') as Recheck

const root = new URL('..', import.meta.url).pathname
const FOLDERS = ['src', 'console/src', 'showcase/src', 'web', 'clients/typescript/src']

const OPTIONS: Options = {
  // Work is limited by steps rather than by time, so that a busy machine changes no result; this is only the last resort.
  timeout: 200_000,
  attackTimeout: null,
  incubationTimeout: null,
  attackLimit: 10_000_000,
  // By automata also with counts such as {1,64}: by trial they take a hundred times as long.
  maxRepeatCount: 200,
}

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.(ts|tsx|js)$/.test(name))
    .map((name) => {
      const file = join(folder, name)
      const text = readFileSync(join(root, file), 'utf8')
      return { file, text, program: parseSync(file, text).program as unknown as Node }
    }),
)

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string') walk(child, visit)
    }
  }
}

function literals(): Expression[] {
  const found: Expression[] = []
  for (const { file, text, program } of sources) {
    walk(program, (node) => {
      const { pattern, flags } = (node.regex ?? {}) as { pattern?: string; flags?: string }
      const place = `${file}:${text.slice(0, node.start).split('\n').length}`
      if (node.type === 'Literal' && pattern !== undefined) found.push({ place, source: pattern, flags: flags ?? '' })
    })
  }
  return found
}

/** Ajv compiles the patterns of schemas to regular expressions. */
function patternsIn(value: unknown, place: string): Expression[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'pattern' && typeof part === 'string'
      ? [{ place: `${place}: pattern`, source: part, flags: 'u' }]
      : patternsIn(part, place),
  )
}

const patterns = [
  ...allOperations.flatMap((operation) => patternsIn(operation.parameters, operation.name)),
  ...operatorAreas.flatMap(({ operations }) => operations.flatMap((one) => patternsIn(one, one.name))),
]

/** Without a repetition the work is bounded by the length of the expression. */
function repeats({ source }: Expression): boolean {
  const bare = source.replace(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\./gu, 'x').replace(/\[[^\]]*\]/g, 'x')
  return /[*+{]/.test(bare)
}

function unique(expressions: readonly Expression[]): Expression[] {
  return [...new Map(expressions.map((one) => [`/${one.source}/${one.flags}`, one])).values()]
}

function problemOf({ place, source, flags }: Expression): string[] {
  const { status, complexity, error } = recheck.checkSync(source, flags, OPTIONS)
  return status === 'safe' ? [] : [`${place} /${source}/${flags}: ${complexity?.summary ?? JSON.stringify(error)}`]
}

/** Hashes of those that were found safe. A changed one is not among them, and so is checked. */
const SAFE_FILE = join(root, 'test/safe-expressions.txt')
const { version } = createRequire(import.meta.url)('recheck/package.json') as { version: string }

function hashOf({ source, flags }: Expression): string {
  return createHash('sha256')
    .update(JSON.stringify([source, flags, OPTIONS, version]))
    .digest('hex')
    .slice(0, 32)
}

// The checker itself changes with its version only, which asks for a new list.
test.skipIf(isEachChange)('the checker finds polynomial and exponential time', () => {
  const vulnerable = ['^\\s*(.+?)\\s*=\\s*(\\w+)\\s*$', '^(a+)+$']
  for (const source of vulnerable) expect(problemOf({ place: '', source, flags: 'i' })).toHaveLength(1)
})

test('literals and patterns of schemas are found', () => {
  expect(literals().filter(({ place }) => place.startsWith('src/http/')).length).toBeGreaterThan(15)
  expect(patterns.length).toBeGreaterThan(100)
})

// All of them take 15 s of processor time, which on a busy machine may be minutes: `npm test` checks those that changed.
test('no regular expression takes more than linear time', { timeout: 900_000 }, () => {
  const expressions = unique([...literals(), ...patterns]).filter(repeats)
  expect(expressions.length).toBeGreaterThan(90)
  const safe = new Set(readFileSync(SAFE_FILE, 'utf8').split('\n'))
  const changed = expressions.filter((one) => !safe.has(hashOf(one)))
  expect((isEachChange ? changed : expressions).flatMap(problemOf)).toEqual([])
  if (process.env.UPDATE_EXPRESSIONS === '1') writeFileSync(SAFE_FILE, `${expressions.map(hashOf).sort().join('\n')}\n`)
  else expect(changed.length, 'write the list again: UPDATE_EXPRESSIONS=1').toBeLessThan(30)
})

test('no regular expression is built at run time, where it could not be checked', () => {
  const built: string[] = []
  for (const { file, program } of sources) {
    walk(program, ({ type, callee }) => {
      const isCall = type === 'NewExpression' || type === 'CallExpression'
      if (isCall && (callee as { name?: string }).name === 'RegExp') built.push(file)
    })
  }
  expect(built).toEqual([])
})
