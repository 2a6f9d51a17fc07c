// The rules that ARCHITECTURE.md and CONTRIBUTING.md state, checked against the sources.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname
const WORD_LISTS = ['src/text-rules/word-lists.ts']
/** Written by a script. */
const GENERATED = 'clients/typescript/src/generated/'

type Node = { type: string; start: number; end: number; [field: string]: unknown }
type Source = { file: string; text: string; program: Node; imports: readonly string[] }

const sources = [
  ...sourcesIn('src'),
  ...sourcesIn('bench'),
  ...sourcesIn('clients/typescript/src'),
  ...sourcesIn('console/src'),
  ...sourcesIn('showcase/src'),
  ...sourcesIn('scripts'),
  ...sourcesIn('test/failover'),
  ...sourcesIn('test/harness'),
  ...sourcesIn('test/torture'),
]
const service = sources.filter(({ file }) => file.startsWith('src/'))

function sourcesIn(folder: string): Source[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => {
      const file = join(folder, name)
      const text = readFileSync(join(root, file), 'utf8')
      const program = parseSync(file, text).program as unknown as Node
      return { file, text, program, imports: importsOf(file, program) }
    })
}

/** Of our own files, types included. */
function importsOf(file: string, program: Node): string[] {
  const found: string[] = []
  walk(program, (node) => {
    const isImport = /^(Import|Export(Named|All))Declaration$|^ImportExpression$/.test(node.type)
    const path = isImport ? (node.source as { value?: unknown } | null)?.value : undefined
    if (typeof path === 'string' && path.startsWith('.')) found.push(relative(root, resolve(root, dirname(file), path)))
  })
  return found
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string') walk(child, visit)
    }
  }
}

const ROOT_FILES = ['src/platform/context.ts', 'src/faults.ts', 'src/service.ts']

/** They import http/ only where they are served: the rows of the public API in operations.ts, and other addresses. */
const DOMAINS = [
  'appeals',
  'applications',
  'communities',
  'customers',
  'events',
  'moderation',
  'mutes',
  'notifications',
  'pictures',
  'profiles',
  'record',
  'search',
  'sessions',
  'sportsbook',
  'stream',
  'tip-log',
  'wallets',
  'webhooks',
]

const OPERATOR_SIDE = [
  'audit',
  'console-stream',
  'customer-activity',
  'health',
  'operator-access',
  'personal-data',
  'review',
  'statistics',
]

/** What each folder of src/ may import besides its own files. */
const ALLOWED: Record<string, readonly string[]> = {
  runtime: [],
  observability: ['runtime'],
  representation: [],
  config: ['runtime'],
  database: ['observability', 'runtime'],
  events: ['database', 'representation', 'runtime'],
  applications: ['database', 'http', 'runtime'],
  appeals: ['database', 'profiles', 'representation', 'runtime'],
  moderation: ['database', 'runtime'],
  pictures: ['runtime'],
  sessions: ['config', 'database', 'http', 'representation', 'runtime'],
  customers: ['database', 'runtime', 'sessions'],
  profiles: ['config', 'database', 'moderation', 'pictures', 'representation', 'runtime'],
  record: ['config', 'database', 'events', 'profiles', 'representation', 'runtime'],
  communities: ['database', 'moderation', 'profiles', 'record', 'representation', 'runtime'],
  notifications: ['communities', 'config', 'database', 'events', 'profiles', 'representation', 'runtime'],
  mutes: ['communities', 'database', 'notifications', 'profiles'],
  search: ['communities', 'database', 'profiles', 'representation', 'runtime'],
  sportsbook: ['communities', 'customers', 'database', 'events', 'record', 'runtime'],
  stream: ['applications', 'database', 'events', 'observability', 'profiles', 'runtime', 'sessions'],
  'tip-log': ['communities', 'config', 'database', 'events', 'profiles', 'record', 'representation', 'runtime'],
  wallets: ['config', 'customers', 'database', 'observability', 'representation', 'runtime'],
  webhooks: ['audit', 'database', 'events', 'observability', 'operator-access', 'runtime'],
  http: ['config', 'database', 'observability', 'representation', 'runtime'],
  reference: ['http', 'representation', 'sandbox'],
  sandbox: [
    'applications',
    'communities',
    'customers',
    'database',
    'moderation',
    'profiles',
    'record',
    'review',
    'runtime',
    'sessions',
    'sportsbook',
    'wallets',
  ],
  'sandbox-addresses': ['config', 'http', 'review', 'runtime', 'sandbox'],
  workers: ['database', 'http', 'observability'],
  audit: ['database', 'runtime'],
  'console-stream': ['database', 'runtime', 'stream'],
  'customer-activity': ['audit', 'database', 'runtime', 'wallets'],
  health: ['config', 'database', 'events', 'observability', 'runtime', 'workers'],
  'operator-access': ['config', 'database', 'runtime', 'sessions'],
  statistics: ['database', 'runtime', 'wallets'],
  review: [
    'appeals',
    'communities',
    'config',
    'database',
    'moderation',
    'observability',
    'operator-access',
    'profiles',
    'record',
    'runtime',
  ],
  'personal-data': [
    'appeals',
    'customers',
    'database',
    'events',
    'moderation',
    'mutes',
    'notifications',
    'profiles',
    'review',
    'runtime',
    'sessions',
    'tip-log',
    'wallets',
  ],
  operator: [
    ...DOMAINS,
    ...OPERATOR_SIDE,
    'config',
    'database',
    'http',
    'observability',
    'reference',
    'representation',
    'runtime',
  ],
  commands: [
    ...DOMAINS,
    ...OPERATOR_SIDE,
    'config',
    'database',
    'observability',
    'runtime',
    'sandbox',
    'sandbox-addresses',
  ],
}

const MAY_USE_CONTEXT = [
  ...DOMAINS,
  ...OPERATOR_SIDE,
  'commands',
  'http',
  'operator',
  'reference',
  'sandbox',
  'sandbox-addresses',
]
const SQL_FILES = /(^|\/|-)store\.ts$|\/(comment|feed)-lists\.ts$/

describe('src/', () => {
  test('has only these files at its root', () => {
    expect(service.filter(({ file }) => folderOf(file) === 'root').map(({ file }) => file)).toEqual([
      'src/background-tasks.ts',
      'src/command-line.ts',
      'src/platform/context.ts',
      'src/faults.ts',
      'src/main.ts',
      'src/operations.ts',
      'src/service.ts',
    ])
  })

  test('each folder imports only what it may', () => {
    const wrong = service.flatMap(({ file, imports }) =>
      imports.filter((target) => !mayImport(file, target)).map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('no circle of folders, types included', () => {
    const folders = new Map<string, string[]>()
    for (const { file, imports } of service) {
      const targets = imports.filter((target) => target.startsWith('src/')).map(roomOf)
      folders.set(roomOf(file), [...(folders.get(roomOf(file)) ?? []), ...targets.filter((to) => to !== roomOf(file))])
    }
    expect(circles(folders)).toEqual([])
  })

  test('no circle in what folders may import', () => {
    expect(circles(new Map(Object.entries(ALLOWED)))).toEqual([])
  })

  test('SQL stands in stores and in the list builders of the feed', () => {
    const wrong = service.filter(({ file, program }) => !SQL_FILES.test(file) && containsSql(program))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('only the command line reads the environment', () => {
    const readers = service.filter(({ text }) => text.includes('process.env')).map(({ file }) => file)
    expect(readers.filter((file) => file !== 'src/command-line.ts' && !file.startsWith('src/commands/'))).toEqual([])
  })
})

describe('clients/typescript', () => {
  test('imports only its own files', () => {
    const files = sources.filter(({ file }) => file.startsWith('clients/'))
    const wrong = files.flatMap(({ file, imports }) =>
      imports.filter((target) => !target.startsWith(dirname(GENERATED))).map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
    expect(files.filter(({ text }) => /from '(?!\.)/.test(text)).map(({ file }) => file)).toEqual([])
  })
})

describe('everywhere', () => {
  test('no import circle, types included', () => {
    expect(circles(new Map(sources.map(({ file, imports }) => [file, imports])))).toEqual([])
  })

  test('no file over 300 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 301).map(({ file }) => file)
    expect(long.filter((file) => !WORD_LISTS.includes(file) && !file.startsWith(GENERATED))).toEqual([])
  })

  test('no function over 60 lines, none with more than 4 parameters', () => {
    const wrong = sources.flatMap(({ file, text, program }) =>
      functionsOf(program).flatMap((node) => {
        const place = `${file}:${lineOf(text, node.start)}`
        const lines = lineOf(text, node.end) - lineOf(text, node.start) + 1
        const parameters = (node.params as readonly Node[]).length
        return [
          ...(lines > 60 ? [`${place} has ${lines} lines`] : []),
          ...(parameters > 4 ? [`${place} has ${parameters} parameters`] : []),
        ]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('no TODO or FIXME', () => {
    expect(sources.filter(({ text }) => /\b(TODO|FIXME|XXX)\b/.test(text)).map(({ file }) => file)).toEqual([])
  })
})

function folderOf(file: string): string {
  const [, folder = '', ...rest] = file.split('/')
  return rest.length === 0 ? 'root' : folder
}

/** Its folder, or the file itself at the root. */
function roomOf(file: string): string {
  return folderOf(file) === 'root' ? file : folderOf(file)
}

function mayImport(file: string, target: string): boolean {
  if (!target.startsWith('src/')) return target === 'package.json'
  const [folder, targetFolder] = [folderOf(file), folderOf(target)]
  if (folder === targetFolder || folder === 'root') return true
  if (targetFolder === 'root') return MAY_USE_CONTEXT.includes(folder) && ROOT_FILES.includes(target)
  if (targetFolder === 'http' && DOMAINS.includes(folder) && /\/(operations|serve[\w-]*)\.ts$/.test(file)) return true
  return ALLOWED[folder]?.includes(targetFolder) ?? false
}

const SQL = /\b(select\b[\s\S]*\bfrom|insert into|delete from|update \w+ set)\b/

function containsSql(program: Node): boolean {
  let found = false
  walk(program, (node) => {
    const { value } = node as { value?: unknown }
    if (node.type === 'Literal' && typeof value === 'string' && SQL.test(value)) found = true
    if (node.type === 'TemplateLiteral') {
      const text = (node.quasis as { value: { raw: string } }[]).map((part) => part.value.raw).join(' x ')
      if (SQL.test(text)) found = true
    }
  })
  return found
}

function functionsOf(program: Node): Node[] {
  const found: Node[] = []
  walk(program, (node) => {
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) found.push(node)
  })
  return found
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

/** The files of each circle, found by walking from every file back to itself. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  return [...imports.keys()].flatMap((start) => {
    const reached = new Set<string>()
    const pending = [...(imports.get(start) ?? [])]
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      if (file === start) return [[start, ...reached]]
      if (reached.has(file)) continue
      reached.add(file)
      pending.push(...(imports.get(file) ?? []))
    }
    return []
  })
}
