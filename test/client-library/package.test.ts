// The npm package of the client as its users meet it: packed, unpacked into an empty folder, imported, and type-checked by the
// compilers that they may have.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readmePrograms } from '../harness/client-readme.ts'
import { typeScriptImports } from '../harness/declarations.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const client = join(root, 'clients/typescript')
const folder = mkdtempSync(join(tmpdir(), 'paddock-client-'))
const installed = join(folder, 'node_modules/@paddock/client')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }

/** What it prints; a failure has that in its message, too. */
async function run(file: string, args: string[], cwd = folder): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { cwd, env }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`)
  })
  return stdout
}

beforeAll(async () => {
  await run('npm', ['pack', '--pack-destination', folder], client)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', `${tarball}`, '--strip-components=1', '-C', installed])
})

test('it has code, types, README and licence, and nothing else', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  const top = new Set(files.map((name) => name.split('/')[0]))
  expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  expect(files.filter((name) => name.startsWith('dist/') && !/(\.js|\.d\.ts|\/generated)$/.test(name))).toEqual([])
  const { dependencies, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const service = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect([dependencies, version]).toEqual([undefined, service.version])
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
})

test('its declarations import JavaScript files, as those of other packages do', () => {
  expect(typeScriptImports(join(installed, 'dist'))).toEqual([])
})

test('Node imports it', async () => {
  const program = "import * as all from '@paddock/client'; console.log(Object.keys(all).sort().join(' '))"
  const names = await run(process.execPath, ['--input-type=module', '-e', program])
  expect(names.trim()).toBe('Paddock PaddockError PaddockFault faultCodes money verifyWebhook')
  const testing = program.replace('@paddock/client', '@paddock/client/testing')
  expect((await run(process.execPath, ['--input-type=module', '-e', testing])).trim()).toBe('signWebhook')
})

test('it is under 17 KB minified, and needs nothing of Node', async () => {
  const bundle = await rolldown({ input: join(installed, 'dist/index.js') })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  expect(output.map(({ type }) => type)).toEqual(['chunk'])
  const [{ code, imports }] = output
  expect(imports).toEqual([])
  expect(Buffer.byteLength(code)).toBeLessThan(17_000)
})

describe('type checks', () => {
  const COMPILERS = {
    'TypeScript 5': join(client, 'node_modules/typescript/bin/tsc'),
    'TypeScript 7': join(root, 'node_modules/typescript/bin/tsc'),
  }
  const BROWSER = { lib: ['es2023', 'dom'], types: [] }
  const NODE = { lib: ['es2023'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }

  const { examples, receiver } = readmePrograms()
  const WRONG = [
    "paddock.getProfile({ id: '3' })",
    'paddock.getProfile({})',
    "paddock.getAllMyComments({ status: 'X' })",
    'paddock.getMostFollowedProfiles({ numDays: 2 })',
    'paddock.getFollowers({ id: 3, blockNumber: 1 })',
    "paddock.makeTransaction({ transactionType: 'deposit', amount: 25, id: 1, cv2: '123' })",
    'void (await paddock.getProfile({ id: 3 })).followers',
    'void (await paddock.getProfile({ id: 3 })).communities.comments',
    "for await (const event of paddock.events()) if (event.type === 'like') break",
    "paddock.followProfile({ id: 3 }, { idempotencyKey: 'a' })",
    'paddock.each.getMyMutes().toArray()',
    'void (await paddock.getProfile({ id: 3 }).answer()).name',
  ]
  const wrong = [
    "import { Paddock } from '@paddock/client'",
    "const paddock = new Paddock({ baseUrl: '', apiKey: '', secret: '' })",
    ...WRONG.flatMap((line) => ['// @ts-expect-error', line]),
  ].join('\n')

  async function check(compiler: string, programs: { [name: string]: string }, platform: object): Promise<string> {
    const project = mkdtempSync(join(folder, 'check-'))
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true }
    // The package's own declarations are checked, too.
    const files = { skipLibCheck: false, skipDefaultLibCheck: true }
    const compilerOptions = { ...strict, ...files, module: 'nodenext', target: 'es2023', ...platform }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    for (const [name, program] of Object.entries(programs)) writeFileSync(join(project, `${name}.mts`), program)
    return run(process.execPath, [compiler, '-p', project])
  }

  test.each(Object.entries(COMPILERS))(
    'examples of the README pass, wrong calls do not: %s',
    async (_name, compiler) => {
      expect(await check(compiler, { examples, wrong }, BROWSER)).toBe('')
    },
  )

  test('with the types of Node in place of those of browsers', async () => {
    expect(await check(COMPILERS['TypeScript 7'], { examples, receiver }, NODE)).toBe('')
  })
})
