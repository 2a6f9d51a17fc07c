// The table of operations, the methods of the client and its iterators.

import { faultTable } from '../../src/faults.ts'
import { declaredFaults } from '../../src/http/declared-faults.ts'
import type { Operation } from '../../src/http/operation.ts'
import { parametersOf } from '../../src/reference/client-parameters.ts'
import type { Answers } from './answers.ts'
import { hasRequired, parametersName } from './parameters.ts'
import { commentOf } from './text.ts'

const BLOCK_SIZE = 20
/** Lists without a last block end with an empty one. */
const NO_LAST_BLOCK = 'Infinity'

/** The blocks of most lists, by their first and last block. */
const SHARED_BLOCKS: { readonly [blocks: string]: string } = { '0 to Infinity': 'fromZero', '1 to 100': 'fromOne' }

export const sharedBlocks = Object.entries(SHARED_BLOCKS).map(([blocks, name]) => {
  const [first, last] = blocks.split(' to ')
  return `const ${name} = { first: ${first}, last: ${last} }`
})

export function tableRow(operation: Operation, answers: Answers): string {
  const { name, method, path } = operation
  const answer = answers.decoderOf(operation)
  const more = moreOf(operation, answers)
  const parts = [
    `'${method} ${belowVersion(path)}'`,
    ...(answer === undefined && more.length === 0 ? [] : [answer ?? 'null']),
    ...(more.length === 0 ? [] : [`{ ${more.join(', ')} }`]),
  ]
  return `${name}: [${parts.join(', ')}],`
}

function moreOf(operation: Operation, answers: Answers): string[] {
  const { alsoAt, keyInQuery, credentials, ticket, body, answer } = operation
  const empty = answers.emptyOf(operation)
  const parameters = parametersOf(operation)
  const headers = parameters
    .filter(({ parameter }) => parameter.from === 'header')
    .map(({ name, wireName }) => `${name}: '${wireName}'`)
  return [
    ...(alsoAt?.[0] === undefined ? [] : [`originalPath: '${belowVersion(alsoAt[0])}'`]),
    ...(keyInQuery ? ['keyInQuery: true'] : []),
    ...(credentials === 'none' ? ['open: true'] : ticket === 'none' ? ['noTicket: true'] : []),
    ...(sendsForm(operation) ? ['form: true'] : []),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === undefined ? [] : [`body: '${body}'`]),
    ...(isRepeatable(operation) ? [] : ['once: true']),
    ...(empty === undefined ? [] : [`empty: ${empty}`]),
    ...(answer.stream === undefined ? [] : ['stream: true']),
    ...blocksOf(operation, answers),
  ]
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

function isRepeatable({ method, repeatable, parameters }: Operation): boolean {
  return method !== 'POST' || repeatable === true || 'Idempotency-Key' in parameters
}

function blocksOf(operation: Operation, answers: Answers): string[] {
  const { blockNum, blockSize } = operation.parameters
  if (blockNum === undefined) return []
  if (blockSize?.absent !== BLOCK_SIZE) throw new Error(`the client asks for blocks of ${BLOCK_SIZE}`)
  const { field } = answers.itemsOf(operation)
  const last = blockNum.schema.maximum ?? NO_LAST_BLOCK
  const blocks = SHARED_BLOCKS[`${blockNum.absent} to ${last}`] ?? `{ first: ${blockNum.absent}, last: ${last} }`
  return [`blocks: ${field === undefined ? blocks : `{ ...${blocks}, items: '${field}' }`}`]
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
      ? ['CallOptions', `Promise<${resultOf(operation, answers)}>`]
      : ['StreamOptions', 'AsyncGenerator<StreamEvent, void>']
  return `${documentation(operation)}${operation.name}(${parameters}, options?: ${options}): ${result}`
}

export function hasBlocks(operation: Operation): boolean {
  return operation.parameters.blockNum !== undefined
}

export function iterator(operation: Operation, answers: Answers): string {
  const mark = hasRequired(operation) ? '' : '?'
  const parameters = `parameters${mark}: Omit<${parametersName(operation)}, 'blockNum'>`
  const result = `AsyncGenerator<${answers.itemsOf(operation).type}, void>`
  return `${commentOf(`${operation.summary}.`)}${operation.name}(${parameters}, options?: CallOptions): ${result}`
}
