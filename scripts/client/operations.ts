// The table of operations, the methods of the client and its iterators.

import { faultTable } from '../../src/faults.ts'
import { declaredFaults } from '../../src/http/operations/declared-faults.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import { parametersOf } from '../../src/reference/client-parameters.ts'
import type { Answers } from './answers.ts'
import { hasRequired, parametersName } from './parameters.ts'
import { commentOf } from './text.ts'

const BLOCK_SIZE = 20
/** Lists without a last block end with an empty one. */
const NO_LAST_BLOCK = 'Infinity'

/** The flags of lists, by their first and last block. */
const BLOCK_FLAGS: { readonly [blocks: string]: string } = { '0 to Infinity': 'from0', '1 to 100': 'from1' }

/** The rows, grouped by what their paths begin with. */
export function table(operations: readonly Operation[], answers: Answers): string {
  const beginnings = Map.groupBy(operations, ({ path }) => beginningOf(path, 2))
  const groups = Map.groupBy(operations, ({ path }) => {
    const beginning = beginningOf(path, 2)
    // A group of its own is shorter for three or more.
    return (beginnings.get(beginning)?.length as number) > 2 ? beginning : beginningOf(path, 1)
  })
  return [...groups]
    .map(([beginning, group]) => {
      const rows = group.map((operation) => tableRow(operation, beginning, answers))
      return `'${beginning}': {\n${rows.join('\n')}\n},`
    })
    .join('\n')
}

/** The first segments, but not the last one. */
function beginningOf(path: string, count: number): string {
  const segments = belowVersion(path).split('/').slice(0, -1)
  return segments
    .slice(0, count)
    .map((segment) => `${segment}/`)
    .join('')
}

function tableRow(operation: Operation, beginning: string, answers: Answers): string {
  const { name, method, path } = operation
  const answer = answers.decoderOf(operation)
  const more = moreOf(operation, beginning, answers)
  const call = [method, below(beginning, path), ...flagsOf(operation)].join(' ')
  const parts = [
    `'${call}'`,
    ...(answer === undefined && more.length === 0 ? [] : [answer ?? 'null']),
    ...(more.length === 0 ? [] : [`{ ${more.join(', ')} }`]),
  ]
  return `${name}: [${parts.join(', ')}],`
}

function flagsOf(operation: Operation): string[] {
  const { keyInQuery, credentials, ticket, answer } = operation
  return [
    ...(keyInQuery ? ['keyInQuery'] : []),
    ...(credentials === 'none' ? ['open'] : ticket === 'none' ? ['noTicket'] : []),
    ...(sendsForm(operation) ? ['form'] : []),
    ...(isRepeatable(operation) ? [] : ['once']),
    ...(isKeyed(operation) ? ['keyed'] : []),
    ...(answer.stream === undefined ? [] : ['stream']),
    ...(hasBlocks(operation) ? [blockFlagOf(operation)] : []),
  ]
}

function moreOf(operation: Operation, beginning: string, answers: Answers): string[] {
  const { alsoAt, body } = operation
  const empty = answers.emptyOf(operation)
  const items = hasBlocks(operation) ? answers.itemsOf(operation).field : undefined
  return [
    ...(alsoAt?.[0] === undefined ? [] : [`originalPath: '${below(beginning, alsoAt[0])}'`]),
    ...(body === undefined ? [] : [`body: '${body}'`]),
    ...(empty === undefined ? [] : [`empty: ${empty}`]),
    ...(items === undefined ? [] : [`items: '${items}'`]),
  ]
}

/** The headers that the client's runtime writes itself. */
const HEADERS = ['Idempotency-Key', 'Last-Event-ID']

function isKeyed(operation: Operation): boolean {
  const headers = parametersOf(operation).filter(({ parameter }) => parameter.from === 'header')
  const unknown = headers.find(({ wireName }) => !HEADERS.includes(wireName))
  if (unknown !== undefined)
    throw new Error(`${operation.name}: the client does not know the header ${unknown.wireName}`)
  return headers.some(({ wireName }) => wireName === 'Idempotency-Key')
}

function sendsForm({ name, parameters }: Operation): boolean {
  const places = new Set(Object.values(parameters).map(({ from }) => from))
  if (places.has('query or form') && places.has('query')) throw new Error(`${name}: all go into the form, or none does`)
  return places.has('query or form')
}

function belowVersion(path: string): string {
  if (!path.startsWith('/v1/')) throw new Error(`${path}: the client calls paths below /v1/`)
  return path.slice('/v1/'.length)
}

function below(beginning: string, path: string): string {
  const written = belowVersion(path)
  if (!written.startsWith(beginning)) throw new Error(`${path}: the addresses of an operation begin alike`)
  return written.slice(beginning.length)
}

function isRepeatable({ method, repeatable, parameters }: Operation): boolean {
  return method !== 'POST' || repeatable === true || 'Idempotency-Key' in parameters
}

function blockFlagOf({ name, parameters }: Operation): string {
  const { blockNum, blockSize } = parameters
  if (blockSize?.absent !== BLOCK_SIZE) throw new Error(`the client asks for blocks of ${BLOCK_SIZE}`)
  const flag = BLOCK_FLAGS[`${blockNum?.absent} to ${blockNum?.schema.maximum ?? NO_LAST_BLOCK}`]
  if (flag === undefined) throw new Error(`${name}: the client does not know such blocks`)
  return flag
}

const TICKETS = { required: ', with a ticket', optional: ', with or without a ticket', none: '' }

function documentation(operation: Operation): string {
  const own = declaredFaults(operation).filter(({ shared }) => !shared)
  const faults = own.map(({ kind, names }) => {
    const named = names.filter((name) => name !== '').join(', ')
    return `${faultTable[kind].code} ${faultTable[kind].text}${named === '' ? '' : ` (${named})`}`
  })
  const call = `\`${operation.method} ${operation.path}\`${TICKETS[operation.ticket]}.`
  return commentOf(`${operation.summary}.`, call, faults.length === 0 ? undefined : `Faults: ${faults.join('; ')}.`)
}

function resultOf(operation: Operation, answers: Answers): string {
  return answers.typeOf(operation) ?? (operation.method === 'HEAD' ? 'boolean' : 'void')
}

export function method(operation: Operation, answers: Answers): string {
  const mark = hasRequired(operation) ? '' : '?'
  const parameters = `parameters${mark}: ${parametersName(operation)}`
  const [options, result] =
    operation.answer.stream === undefined
      ? [callOptionsOf(operation), `Call<${resultOf(operation, answers)}>`]
      : ['StreamOptions', 'AsyncGenerator<StreamEvent | WatchedState, void>']
  return `${documentation(operation)}${operation.name}(${parameters}, options?: ${options}): ${result}`
}

function callOptionsOf(operation: Operation): string {
  return isKeyed(operation) ? 'KeyedCallOptions' : 'CallOptions'
}

export function hasBlocks(operation: Operation): boolean {
  return operation.parameters.blockNum !== undefined
}

export function iterator(operation: Operation, answers: Answers): string {
  const mark = hasRequired(operation) ? '' : '?'
  const parameters = `parameters${mark}: Omit<${parametersName(operation)}, 'blockNum'>`
  const result = `List<${answers.itemsOf(operation).type}>`
  return `${commentOf(`${operation.summary}.`)}${operation.name}(${parameters}, options?: CallOptions): ${result}`
}
