// Every call of the TypeScript client that the reference shows has the types of the client.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { publicDocuments } from '../../src/reference/serve.ts'
import { clientCall } from '../../web/reference/request.js'
import { textsOf } from '../harness/reference-pages.ts'
import { CLIENT_SAMPLES, sampleOf } from '../harness/reference-samples.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'paddock-samples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const settings = { sandbox: true, picture: '/pictures/default.png', address: () => 'http://localhost:8080' }
const pages = [...textsOf(publicDocuments(allOperations, settings))]
// What the documents show is run by tests of theirs.
const text = pages.map(([path, page]) => (path.startsWith('/docs') ? page : '')).join('\n')
const ids = [...allOperations.map(({ name }) => `${name}-typescript`), ...CLIENT_SAMPLES]

/** What a sample takes for granted: a client, and a signal. */
const GIVEN = `import type { Paddock as Client } from '@paddock/client'
declare const paddock: Client
declare const signal: AbortSignal
export const given = [paddock, signal]
`

/** The complaints of TypeScript, by the name of the file. */
function complaints(samples: ReadonlyMap<string, string>): string[] {
  for (const [name, code] of samples) {
    const given = code.includes('const paddock =') ? 'export {}\n' : GIVEN
    writeFileSync(join(folder, `${name}.ts`), given + code)
  }
  const options = {
    extends: join(root, 'clients/typescript/tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      rootDir: '/',
      noUnusedLocals: false,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      paths: { '@paddock/client': [join(root, 'clients/typescript/src/index.ts')] },
    },
    include: [...samples.keys()].map((name) => `${name}.ts`),
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
    return []
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\n').filter((line) => line.includes('error TS'))
  }
}

test('every sample of the reference compiles, and a wrong one does not', () => {
  expect(
    [...text.matchAll(/<pre id="([\w-]+)"[^>]*><code data-language="typescript"/g)].map(([, id]) => id).sort(),
  ).toEqual(ids.toSorted())
  const samples = new Map(ids.map((id) => [id, sampleOf(text, id)]))
  expect(complaints(samples)).toEqual([])
  const wrong = complaints(new Map([...samples, ['wrong', `await paddock.getProfile({ id: '2' })`]]))
  expect(wrong).toEqual([expect.stringMatching(/wrong\.ts.*Type 'string' is not assignable to type 'number'/)])
})

test('a call shows what was entered: numbers, booleans and texts, and no blank ones', () => {
  const field = (client: string, kind: 'boolean' | 'number' | 'string', value: string) => ({ client, kind, value })
  const call = (...fields: ReturnType<typeof field>[]) =>
    clientCall({ operation: 'getProfile', result: 'profile' }, fields, '', '')
  expect(call(field('id', 'number', '3'), field('communities', 'boolean', 'Y'))).toBe(
    'const profile = await paddock.getProfile({ id: 3, communities: true })',
  )
  expect(call(field('id', 'number', '007'), field('q', 'string', ''))).toBe(
    `const profile = await paddock.getProfile({ id: '007' })`,
  )
  expect(call(field('q', 'string', `it's\n\\ "all"`))).toBe(
    `const profile = await paddock.getProfile({ q: 'it\\'s\\n\\\\ "all"' })`,
  )
  // A parameter with two names is one of the client's.
  expect(call(field('betId', 'number', ''), field('betId', 'number', '7'))).toContain('({ betId: 7 })')
  expect(call()).toBe('const profile = await paddock.getProfile()')
  expect(call(field('q', 'string', 'a'.repeat(70)))).toBe(
    `const profile = await paddock.getProfile({\n  q: '${'a'.repeat(70)}',\n})`,
  )
})

test('a picture is fetched from the service, or read from the file that was chosen', () => {
  const call = (picture: string) =>
    clientCall({ operation: 'setMyPicture', result: 'profile' }, [], 'http://h', picture)
  expect(call('/pictures/default.png')).toBe(
    `const picture = await (await fetch('http://h/pictures/default.png')).blob()\nconst profile = await paddock.setMyPicture({ picture })`,
  )
  expect(call('me.jpg')).toMatch(/^const picture = await openAsBlob\('me\.jpg'\) \/\/ of node:fs\n/)
})
