// The generated files of the client, by their names, from the operations, shapes, events and faults of the service.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { faultTable } from '../../src/faults.ts'
import { allOperations } from '../../src/operations.ts'
import { answersOf } from './answers.ts'
import { eventTypes } from './events.ts'
import { hasBlocks, iterator, method, table } from './operations.ts'
import { parameterInterface, parametersName } from './parameters.ts'
import { commentOf } from './text.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const { version } = JSON.parse(readFileSync(`${root}clients/typescript/package.json`, 'utf8'))

export const GENERATED_FOLDER = 'clients/typescript/src/generated'

const HEADER = '// Written by `npm run client` from the operations of the service. Do not edit.'

/** Also of those that a later service may have. */
const FAULT_CODE =
  'export type FaultCode = (typeof faultCodes)[keyof typeof faultCodes] | (string & Record<never, never>)'

export function generatedFiles(): Map<string, string> {
  const answers = answersOf(allOperations)
  const lists = allOperations.filter(hasBlocks)
  const rows = table(allOperations, answers)
  const methods = allOperations.map((operation) => method(operation, answers)).join('\n\n')
  const iterators = lists.map((operation) => iterator(operation, answers)).join('\n\n')
  const parameterTypes = allOperations.map(parametersName)
  return formatted({
    'answers.ts': answers.interfaces(),
    'parameters.ts': ['export type NoParameters = Record<never, never>', ...allOperations.map(parameterInterface)],
    'events.ts': eventTypes(),
    'faults.ts': [faultCodes(), FAULT_CODE],
    'fields.ts': [
      `/** The fields whose meaning their names do not say. */\nexport const fieldKinds = {\n${answers.fields().join('\n')}\n}`,
    ],
    'version.ts': [`export const version = '${version}'`],
    'operations.ts': [
      `import { ${used(rows, ['entries', 'first', 'inside', 'many', 'record'], '(').join(', ')} } from '../decode.ts'`,
      "import type { Table } from '../operation.ts'",
      ...(rows.includes('scalars.') ? ["import { scalars } from '../scalars.ts'"] : []),
      `export const operations: Table = {\n${rows}\n}`,
    ],
    'methods.ts': [
      "import type { Call, CallOptions, KeyedCallOptions } from '../call.ts'",
      "import type { StreamEvent, WatchedState } from '../events.ts'",
      "import type { StreamOptions } from '../stream.ts'",
      importTypes(used(methods, answers.names()), './answers.ts'),
      importTypes(parameterTypes, './parameters.ts'),
      `/** A method for each operation. */\nexport interface Methods {\n${methods}\n}`,
    ],
    'each.ts': [
      "import type { List } from '../blocks.ts'",
      "import type { CallOptions } from '../call.ts'",
      importTypes(used(iterators, answers.names()), './answers.ts'),
      importTypes(lists.map(parametersName), './parameters.ts'),
      `/** An iterator over all blocks, for each operation that answers in blocks. */\nexport interface Each {\n${iterators}\n}`,
    ],
  })
}

function importTypes(names: readonly string[], from: string): string {
  return `import type { ${names.join(', ')} } from '${from}'`
}

/** The names that the code mentions, outside of its comments. */
function used(code: string, names: readonly string[], before = ''): string[] {
  const bare = code.replace(/\/\*.*?\*\//gs, '')
  return names.filter((name) => new RegExp(`\\b${name}\\b${before && `\\${before}`}`).test(bare))
}

/** The names of codes that several faults share. Of another code: the name of its first fault. */
const SHARED_CODES: { readonly [code: string]: string } = {
  10000: 'failure',
  10003: 'notServed',
  10010: 'apiKey',
  10020: 'secret',
  10070: 'missing',
  10071: 'invalid',
  30440: 'self',
}

function faultCodes(): string {
  const codes = Map.groupBy(Object.entries(faultTable), ([, { code }]) => code)
  const rows = [...codes].map(([code, faults]) => {
    const texts = new Set(faults.map(([, { text }]) => text))
    return `${commentOf(`${[...texts].join('; ')}.`)}${SHARED_CODES[code] ?? faults[0]?.[0]}: '${code}',`
  })
  const about = commentOf('The codes of all faults, by name.')
  return `${about}export const faultCodes = {\n${rows.join('\n')}\n} as const`
}

/** As Biome formats them. */
function formatted(files: { readonly [name: string]: readonly string[] }): Map<string, string> {
  return new Map(
    Object.entries(files).map(([name, parts]) => {
      const path = `${GENERATED_FOLDER}/${name}`
      const imports = parts.filter((part) => part.startsWith('import '))
      const rest = parts.slice(imports.length)
      const input = `${[HEADER, imports.join('\n'), ...rest].filter((part) => part !== '').join('\n\n')}\n`
      const command = ['check', '--write', `--stdin-file-path=${path}`]
      const biome = `${root}node_modules/@biomejs/biome/bin/biome`
      const result = spawnSync(process.execPath, [biome, ...command], { cwd: root, input, encoding: 'utf8' })
      if (result.status !== 0) throw new Error(`${path}: ${result.stderr}\n${input}`)
      return [name, result.stdout]
    }),
  )
}
