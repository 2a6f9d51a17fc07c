// The rules that ARCHITECTURE.md and CONTRIBUTING.md state, checked against the sources.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname
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
  ...sourcesIn('web'),
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

/** What each style sheet imports. */
function stylesIn(folder: string): { file: string; imports: string[] }[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.css') && !/(^|\/)(dist|node_modules)\//.test(name))
    .map((name) => {
      const file = join(folder, name)
      const imported = readFileSync(join(root, file), 'utf8').matchAll(/@import "([^"]+)"/g)
      return { file, imports: [...imported].map(([, path = '']) => relative(root, resolve(root, dirname(file), path))) }
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

/** What a folder may import besides its own files. Every folder above platform/ may import platform/. */
const ALLOWED: Record<string, readonly string[]> = {
  'platform/runtime': [],
  'platform/masking': [],
  'platform/config': ['platform/runtime'],
  'platform/tracing': ['platform/runtime'],
  'platform/observability': ['platform/runtime', 'platform/tracing'],
  'platform/database': ['platform/observability', 'platform/runtime', 'platform/tracing'],
  platform: ['platform/config', 'platform/database', 'platform/masking', 'platform/observability', 'platform/tracing'],
  http: [],
  audit: [],
  'text-rules': [],
  flags: ['http'],
  workers: ['http'],
  'event-log': ['http'],
  identity: ['event-log', 'http', 'text-rules'],
  profiles: ['event-log', 'flags', 'http', 'text-rules'],
  record: ['event-log', 'http', 'profiles'],
  catalogue: ['http', 'record'],
  communities: ['catalogue', 'event-log', 'flags', 'http', 'profiles', 'record', 'text-rules'],
  'tip-log': ['event-log', 'http', 'profiles', 'record'],
  wallets: ['event-log', 'http', 'identity'],
  streams: ['catalogue', 'communities', 'event-log', 'http', 'identity', 'moderation', 'profiles', 'record', 'wallets'],
  webhooks: ['audit', 'event-log', 'identity'],
  notifications: ['communities', 'event-log', 'http', 'identity', 'moderation', 'profiles', 'record', 'wallets'],
  mutes: ['communities', 'http', 'notifications', 'profiles'],
  search: ['communities', 'http', 'profiles'],
  sportsbook: ['catalogue', 'communities', 'event-log', 'http', 'identity', 'record'],
  moderation: [
    ...['audit', 'communities', 'event-log', 'flags', 'http', 'identity', 'profiles', 'record', 'text-rules'],
  ],
  sandbox: [
    ...['communities', 'event-log', 'flags', 'http', 'identity', 'moderation', 'notifications', 'profiles', 'record'],
    ...['sportsbook', 'wallets'],
  ],
  reference: ['http', 'sandbox'],
  operator: [
    ...['audit', 'catalogue', 'communities', 'event-log', 'flags', 'http', 'identity', 'moderation', 'mutes'],
    ...['notifications', 'profiles', 'record', 'reference', 'search', 'sportsbook', 'streams', 'text-rules', 'tip-log'],
    ...['wallets', 'webhooks', 'workers'],
  ],
  commands: ['audit', 'identity', 'operator', 'sandbox', 'sportsbook', 'tip-log', 'wallets'],
}

/** Folders that answer requests import http/ anywhere; the others only where they are served. */
/** Too large for one room. */
const FOLDERS_WITH_FLOORS = ['wallets', 'moderation', 'http']

const SERVERS = ['identity', 'operator', 'reference', 'sandbox', 'workers']
const SERVED = /[/-](operations|parameters|shapes)\.ts$|\/operations\/[\w-]+\.ts$|\/serve[\w-]*\.ts$/
/** How answers and schemas are described: types that every domain may use. */
const DESCRIPTIONS = 'src/http/representation/'

const SQL_FILES = /(^|\/|-)store\.ts$|\/(comment|feed)-lists\.ts$/

describe('src/', () => {
  test('has at most 32 entries at its root', () => {
    expect(readdirSync(join(root, 'src')).length).toBeLessThanOrEqual(32)
  })

  test('has only these files at its root', () => {
    expect(service.filter(({ file }) => file.split('/').length === 2).map(({ file }) => file)).toEqual([
      'src/background-tasks.ts',
      'src/command-line.ts',
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

  test('the drawing in ARCHITECTURE.md has every folder once, above all that it may import', () => {
    const floors = floorsOf('Layout')
    const folders = Object.keys(ALLOWED).filter((folder) => !folder.includes('/'))
    expect(floors.flat().toSorted()).toEqual(folders.toSorted())
    const floorOf = (folder: string) => floors.findIndex((floor) => floor.includes(folder))
    const wrong = folders.flatMap((folder) =>
      (ALLOWED[folder] ?? [])
        .filter((target) => !target.includes('/') && floorOf(target) >= floorOf(folder))
        .map((target) => `${folder} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  describe.each(FOLDERS_WITH_FLOORS)('%s/', (folder) => {
    const files = service.filter(({ file }) => file.startsWith(`src/${folder}/`))

    test('a room of it imports only rooms of the floors below it, as ARCHITECTURE.md draws them', () => {
      const floors = floorsOf(`${folder}/`)
      expect(floors.flat().toSorted()).toEqual([...new Set(files.map(({ file }) => innerRoomOf(file)))].toSorted())
      const floorOf = (file: string) => floors.findIndex((floor) => floor.includes(innerRoomOf(file)))
      const wrong = files.flatMap(({ file, imports }) =>
        imports
          .filter((target) => target.startsWith(`src/${folder}/`) && innerRoomOf(target) !== innerRoomOf(file))
          .filter((target) => floorOf(target) >= floorOf(file))
          .map((target) => `${file} imports ${target}`),
      )
      expect(wrong).toEqual([])
    })
  })

  test('a room has at most 30 files of its own', () => {
    const rooms = Map.groupBy(service, ({ file }) => dirname(file))
    expect([...rooms].filter(([, files]) => files.length > 30).map(([room]) => room)).toEqual([])
  })

  test('SQL stands in stores and in the list builders of the feed', () => {
    const wrong = service.filter(({ file, program }) => !SQL_FILES.test(file) && containsSql(program))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('only platform/runtime and commands read the clock of the machine', () => {
    const readers = service.filter(({ text }) => /\bDate\.now\b|\bnew Date\(\)/.test(text)).map(({ file }) => file)
    expect(readers.filter((file) => !/^src\/(platform\/runtime|commands)\//.test(file))).toEqual([])
  })

  test('only the command line reads the environment', () => {
    const readers = service.filter(({ text }) => text.includes('process.env')).map(({ file }) => file)
    // Passes it on to the programs that it starts.
    const allowed = ['src/command-line.ts', 'src/platform/database/backup/postgres-programs.ts']
    expect(readers.filter((file) => !allowed.includes(file) && !file.startsWith('src/commands/'))).toEqual([])
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

describe('console/, showcase/ and web/', () => {
  const APPLICATIONS: Record<string, readonly string[]> = {
    console: ['console/src/', 'web/', 'src/operator/'],
    showcase: ['showcase/src/', 'web/'],
    // Types only: the words of a state are complete by its type.
    web: ['web/', 'src/'],
  }

  test.each(Object.entries(APPLICATIONS))('%s imports only files of %j', (folder, allowed) => {
    const files = [...sources.filter(({ file }) => file.startsWith(`${folder}/`)), ...stylesIn(folder)]
    expect(files).not.toEqual([])
    const wrong = files.flatMap(({ file, imports }) =>
      imports
        .filter((target) => !allowed.some((place) => target.startsWith(place)))
        .map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('no rule of the linter is ignored', () => {
    const files = sources.filter(({ file }) => /^(console|showcase|web)\//.test(file))
    expect(files.filter(({ text }) => text.includes('biome-ignore')).map(({ file }) => file)).toEqual([])
  })

  test('console and web have no code of the service, only types', () => {
    const imported = sources
      .filter(({ file }) => /^(console|web)\//.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^import (?!type ).*\/src\/.*$/gm)].map(([line]) => `${file}: ${line}`),
      )
    expect(imported).toEqual([])
  })
})

describe('everywhere', () => {
  test('no import circle, types included', () => {
    expect(circles(new Map(sources.map(({ file, imports }) => [file, imports])))).toEqual([])
  })

  test('no file over 300 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 301).map(({ file }) => file)
    expect(long.filter((file) => !file.startsWith(GENERATED))).toEqual([])
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

/** Its folder, or the file itself at the root; platform/ is made of several. */
function roomOf(file: string): string {
  const [, folder = '', part = ''] = file.split('/')
  if (part === '') return file
  return folder === 'platform' && file.split('/').length > 3 ? `platform/${part}` : folder
}

/** Of a folder with floors; its own name: the files that stand in the folder itself. */
function innerRoomOf(file: string): string {
  const [, folder = '', room = '', part] = file.split('/')
  return part === undefined ? folder : room
}

/** The drawing of a section of ARCHITECTURE.md, its lowest floor first. */
function floorsOf(section: string): string[][] {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const after = text.slice(text.indexOf(`# ${section}\n`))
  const [, drawing = ''] = /^```$([\s\S]*?)^```$/m.exec(after) ?? []
  return drawing
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
    .reverse()
}

function mayImport(file: string, target: string): boolean {
  // The samples of the reference are written by the same code on the server and in the browser.
  const shared = file.startsWith('src/reference/') && target === 'web/reference/request.js'
  if (!target.startsWith('src/')) return target === 'package.json' || shared
  const [room, targetRoom] = [roomOf(file), roomOf(target)]
  if (room === targetRoom || room.startsWith('src/')) return true
  if (target === 'src/faults.ts') return !room.startsWith('platform')
  if (target === 'src/service.ts') return room === 'commands'
  if (targetRoom.startsWith('platform') && !room.startsWith('platform')) return true
  const isServed =
    targetRoom !== 'http' || SERVERS.includes(room) || SERVED.test(file) || target.startsWith(DESCRIPTIONS)
  return isServed && (ALLOWED[room]?.includes(targetRoom) ?? false)
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
