// The types of the client correspond to those that openapi-typescript makes of /openapi.json: TypeScript 5 compares the parameters
// and the JSON answer of each operation. What the types of OpenAPI cannot say, that a text is a number or a time, the contract walk
// through the client tests.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parametersName } from '../../scripts/client/parameters.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import type { Node } from '../../src/http/representation/shape.ts'
import { allOperations } from '../../src/operations.ts'
import { parametersOf } from '../../src/reference/client-parameters.ts'
import { openApi } from '../../src/reference/openapi.ts'

const client = fileURLToPath(new URL('../../clients/typescript', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'paddock-client-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PRELUDE = `
import type { components, operations } from './openapi.ts'
import type * as client from '${client}/src/index.ts'

type Schemas = components['schemas']
type Answer<Name extends keyof client.Methods> = Awaited<ReturnType<client.Methods[Name]>>

/** What both kinds of types say: texts, Y/N, lists, and records with required and optional fields. */
type Form<T> = [T] extends ['Y' | 'N'] ? 'yesNo'
  : [T] extends [boolean] ? 'yesNo'
  : [T] extends [string | number | Date] ? 'scalar'
  : [Extract<T, readonly unknown[]>] extends [never] ? { [K in keyof T]-?: Field<T, K> }
  : { list: Form<Extract<T, readonly unknown[]>[number]> }
/** A list that may be absent is an empty one in the client. */
type Field<T, K extends keyof T> = [Extract<T[K], readonly unknown[]>] extends [never]
  ? [{} extends Pick<T, K> ? 'optional' : 'required', Form<Exclude<T[K], undefined>>]
  : Form<Exclude<T[K], undefined>>

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** As the client sends it: false is not sent. */
type Sent<C, W> = C extends boolean ? 'Y' : C extends number ? (W extends number ? C : \`\${C}\`) : C
/** Every value can be sent, and every choice can be made. */
type Corresponds<C, W> = [Sent<C, W>] extends [W]
  ? string extends W ? true : number extends W ? true : [Exclude<W, '' | 'N'>] extends [Sent<C, W>] ? true : false
  : false
type IsRequired<T, K extends keyof T> = {} extends Pick<T, K> ? false : true

declare function holds<T extends true>(): void
`

/** Where the answer of the client stands in the document, as the indexes of a type. */
function placeOf({ answer }: Operation): { wire: string; client: string } {
  const { root, node } = answer.document as NonNullable<Operation['answer']['document']>
  const outer = `['${root}']`
  if (node.is === 'sequence') {
    const inner = itemsOf(node)
    return { wire: outer + inner.wire, client: answer.mayBeEmpty ? inner.client : inner.client.replace('[number]', '') }
  }
  const [name, ...others] = Object.keys(node.fields)
  const field = node.fields[name as string]
  if (others.length > 0 || field === undefined || !('node' in field)) return { wire: outer, client: '' }
  if (field.node.is === 'record') return { wire: `${outer}['${name}']`, client: '' }
  const inner = itemsOf(field.node)
  return { wire: `${outer}['${name}']${inner.wire}`, client: inner.client }
}

function itemsOf(node: Node): { wire: string; client: string } {
  if (node.is === 'record') return { wire: '', client: '' }
  const inner = itemsOf(node.of)
  const entry = node.json === 'entries' ? `['${node.item}']` : ''
  return { wire: `[number]${entry}${inner.wire}`, client: `[number]${inner.client}` }
}

function answerCheck(operation: Operation): string[] {
  const { name, answer } = operation
  if (answer.document === null) return []
  const { wire, client: own } = placeOf(operation)
  return [`holds<Equal<Form<Answer<'${name}'>${own}>, Form<Schemas['${name}']${wire}>>>()`]
}

const PLACES = { path: 'path', query: 'query', header: 'header', 'query or header': 'query', 'query or form': 'query' }

function parameterChecks(operation: Operation): string[] {
  const own = `client.${parametersName(operation)}`
  const parameters = parametersOf(operation)
  const names = [...parameters.map(({ name }) => name), ...(operation.body === undefined ? [] : [operation.body])]
  return [
    `holds<Equal<keyof ${own}, ${names.map((name) => `'${name}'`).join(' | ') || 'never'}>>()`,
    ...parameters.flatMap(({ name, wireName, parameter }) => {
      const wire = `NonNullable<NonNullable<operations['${operation.name}']['parameters']['${PLACES[parameter.from]}']>['${wireName}']>`
      return [
        `holds<Corresponds<Exclude<${own}['${name}'], undefined>, ${wire}>>()`,
        `holds<Equal<IsRequired<${own}, '${name}'>, ${parameter.required === true}>>()`,
      ]
    }),
  ]
}

/** The comparison can fail. */
const DIFFERENT = [
  'holds<Equal<Form<client.Profile>, Form<client.MyProfile>>>()',
  "holds<Equal<Form<client.Comment>, Form<Schemas['getProfile']['whoProfiles'][number]['profile']>>>()",
  'holds<Equal<Form<{ a: string }>, Form<{ a?: string }>>>()',
  'holds<Equal<Form<{ a: boolean }>, Form<{ a: string }>>>()',
  "holds<Corresponds<'a' | 'b', 'a' | ''>>()",
  "holds<Corresponds<'a', 'a' | 'b'>>()",
  'holds<Corresponds<boolean, string[]>>()',
]

test('each operation takes and answers what OpenAPI says', async () => {
  const { default: openapiTS, astToString } = await import(`${client}/node_modules/openapi-typescript/dist/index.mjs`)
  writeFileSync(join(folder, 'openapi.ts'), astToString(await openapiTS(openApi(allOperations))))
  const checks = allOperations.flatMap((operation) => [...answerCheck(operation), ...parameterChecks(operation)])
  const different = DIFFERENT.flatMap((line) => ['// @ts-expect-error', line])
  writeFileSync(join(folder, 'check.ts'), [PRELUDE, ...checks, ...different].join('\n'))
  const compilerOptions = {
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2023', lib: ['es2023', 'dom'], types: [] },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['check.ts'] }))
  const compiler = join(client, 'node_modules/typescript/bin/tsc')
  const result = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch((error) => error)
  const errors = [...`${result.stdout}`.matchAll(/check\.ts\((\d+),.*/g)]
  const lines = `${PRELUDE}\n${[...checks, ...different].join('\n')}`.split('\n')
  expect(errors.map(([error, line]) => `${error}: ${lines[Number(line) - 1]}`)).toEqual([])
  expect(result.stdout).toBe('')
  expect(checks.length).toBeGreaterThan(allOperations.length * 2)
})
