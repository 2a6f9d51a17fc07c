// What the client answers with: types and decoders, from the shapes of the operations.

import { conventionOf, type ScalarName } from '../../clients/typescript/src/scalars.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import type { Document, Field, Node, RecordShape, ScalarKind } from '../../src/http/representation/shape.ts'
import { capitalised, commentOf } from './text.ts'

/**
 * The names of records, by the first operation that answers with them, and by field inside. Without a name here: that of the
 * operation with `Answer`; records inside others are written in place.
 */
const NAMES: { readonly [place: string]: string } = {
  createTicket: 'Session',
  endTicket: 'EndedSession',
  getProfile: 'Profile',
  getMyProfile: 'MyProfile',
  updateMyProfile: 'UpdatedProfile',
  unfollowProfile: 'UnfollowedProfile',
  getLatestFollowers: 'FollowEntry',
  getMostFollowedProfiles: 'RankedProfile',
  getMyNotifications: 'Notifications',
  'getMyNotifications.notification': 'Notification',
  getRecord: 'ProfileRecord',
  'getRecord.record': 'RecordFigures',
  getRecordTips: 'RecordTip',
  getRecordRanking: 'RankedRecord',
  getCommentsById: 'Comment',
  getTopOutcomes: 'TopEvent',
  getEvents: 'ListedEvent',
  'getEvents.market': 'ListedMarket',
  'getEvents.market.outcome': 'ListedOutcome',
  getEvent: 'SportsEvent',
  'getEvent.market': 'EventMarket',
  'getEvent.market.outcome': 'EventOutcome',
  'getEvent.market.outcome.pricePoint': 'PricePoint',
  getMyModeration: 'Decision',
  'getMyModeration.appeal': 'Appeal',
  getLog: 'Checkpoint',
  getLogProofs: 'TipProofs',
  'getLogProofs.entry': 'ProvenEntry',
  getLogConsistency: 'ConsistencyProof',
  getLogEntries: 'LogEntry',
  getLogKeys: 'LogKey',
  makeTransaction: 'Payment',
  makeDeposit: 'Deposit',
  getMyDeposits: 'ListedDeposit',
  getPaymentMethods: 'PaymentMethod',
  getMyBalance: 'Balance',
  getMyStatement: 'Statement',
  'getMyStatement.line': 'StatementLine',
  getWithdrawalOptions: 'WithdrawalOptions',
  'getWithdrawalOptions.keptBack': 'KeptBack',
  'getWithdrawalOptions.options': 'WithdrawalOption',
  makeWithdrawal: 'Withdrawal',
  'makeWithdrawal.part': 'WithdrawalPart',
  getMyWithdrawals: 'Withdrawal',
  getWithdrawal: 'Withdrawal',
  getMyLimits: 'Limits',
  'getMyLimits.limits': 'Limit',
  takeTimeOut: 'Exclusion',
}

const SCALARS: { readonly [K in ScalarKind]: { type: string; decode: ScalarName } } = {
  integer: { type: 'number', decode: 'integer' },
  signedInteger: { type: 'number', decode: 'integer' },
  decimal: { type: 'string', decode: 'asIs' },
  signedDecimal: { type: 'string', decode: 'asIs' },
  fraction: { type: 'string', decode: 'asIs' },
  text: { type: 'string', decode: 'asIs' },
  yesNo: { type: 'boolean', decode: 'yesNo' },
  date: { type: 'Date', decode: 'time' },
  dateTime: { type: 'Date', decode: 'time' },
  utcDateTime: { type: 'Date', decode: 'utcTime' },
  status: { type: 'string', decode: 'asIs' },
}

/** What is left of a document without its wrapping: the record, whether there are many, and how to reach it. */
type Unwrapped = { readonly node: RecordShape; readonly type: (item: string) => string; readonly decode: Wrap }
type Wrap = (item: string) => string

const wrap =
  (name: string, inner: Wrap): Wrap =>
  (item) =>
    `${name}(${inner(item)})`
const bare: Wrap = (item) => item

/** A list is answered as an array of its items, a single record as itself. */
function unwrapped({ node }: Document, mayBeEmpty: boolean): Unwrapped {
  if (node.is === 'sequence') return mayBeEmpty ? list(node) : single(node.of)
  const fields = Object.values(node.fields)
  const [only] = fields
  if (fields.length > 1 || only === undefined || !('node' in only)) return { node, type: bare, decode: bare }
  const inner = only.place === 'nodes' ? many(only.node) : one(only.node)
  return { ...inner, decode: wrap('inside', inner.decode) }
}

function one(node: Node): Unwrapped {
  return node.is === 'sequence' ? list(node) : { node, type: bare, decode: bare }
}

function single(node: Node): Unwrapped {
  const inner = one(node)
  return { ...inner, decode: wrap('first', inner.decode) }
}

function list(node: Extract<Node, { is: 'sequence' }>): Unwrapped {
  const inner = one(node.of)
  const name = node.json === 'entries' ? 'entries' : 'many'
  return { ...inner, type: (item) => `${inner.type(item)}[]`, decode: wrap(name, inner.decode) }
}

function many(node: Node): Unwrapped {
  const inner = one(node)
  return { ...inner, type: (item) => `${inner.type(item)}[]`, decode: wrap('many', inner.decode) }
}

export type Answers = ReturnType<typeof answersOf>

export function answersOf(operations: readonly Operation[]) {
  const names = namesOf(operations)
  const kinds = kindsOf(operations)
  const nameOf = (node: RecordShape) => names.get(node) as string
  const ofOperation = ({ answer }: Operation) =>
    answer.document === null ? undefined : unwrapped(answer.document, answer.mayBeEmpty === true)
  return {
    /** `Profile[]`; undefined: the operation has no document. */
    typeOf(operation: Operation): string | undefined {
      const found = ofOperation(operation)
      return found?.type(nameOf(found.node))
    },
    /** `entries(record({ … }))` */
    decoderOf(operation: Operation): string | undefined {
      const found = ofOperation(operation)
      return found?.decode(recordDecoder(found.node, kinds)) || (found && 'record()')
    },
    /** The JSON that an empty answer stands for, where that is a record: its lists are empty, its counts 0. */
    emptyOf(operation: Operation): string | undefined {
      const found = ofOperation(operation)
      if (found === undefined || !operation.answer.mayBeEmpty || found.type('') !== '') return undefined
      const fields = Object.entries(found.node.fields).filter(
        ([, { optional, place }]) => !optional && place !== 'nodes',
      )
      return `{ ${fields.map(([name]) => `${name}: '0'`).join(', ')} }`
    },
    /** The field that holds the items of a record, and the type of an item. */
    itemsOf(operation: Operation): { field?: string; type: string } {
      const found = ofOperation(operation) as Unwrapped
      if (found.type('') !== '') return { type: found.type(nameOf(found.node)).replace(/\[\]$/, '') }
      const [field, { node }] = Object.entries(found.node.fields).find(([, { place }]) => place === 'nodes') as [
        string,
        { node: RecordShape },
      ]
      return { field, type: nameOf(node) }
    },
    names: (): string[] => [...names.values()],
    interfaces: (): string[] => [...names].map(([node, name]) => `export interface ${name} ${recordType(node, names)}`),
    /** The names of fields of each kind, separated by spaces, where the name does not say it. */
    fields(): string[] {
      const exceptions = [...kinds].filter(([name, kind]) => kind !== conventionOf(name))
      return [...Map.groupBy(exceptions, ([, kind]) => kind)].map(
        ([kind, fields]) => `${kind}: '${fields.map(([name]) => name).join(' ')}',`,
      )
    },
  }
}

type Names = ReadonlyMap<RecordShape, string>

function namesOf(operations: readonly Operation[]): Names {
  const found = new Map<RecordShape, string>()
  const nameAll = (outer: Node, place: string, fallback?: string): void => {
    let node = outer
    while (node.is === 'sequence') node = node.of
    for (const [field, inner] of Object.entries(node.fields)) {
      if ('node' in inner) nameAll(inner.node, `${place}.${field}`)
    }
    const name = NAMES[place] ?? fallback
    if (name !== undefined && !found.has(node)) found.set(node, name)
  }
  for (const { name, answer } of operations) {
    if (answer.document === null) continue
    const { node } = unwrapped(answer.document, answer.mayBeEmpty === true)
    nameAll(node, name, `${capitalised(name)}Answer`)
  }
  return found
}

function recordType(node: RecordShape, names: Names): string {
  const fields = Object.entries(node.fields).map(([name, field]) => {
    const mark = field.optional && field.place !== 'nodes' ? '?' : ''
    return `${commentOf(field.meaning)}${name}${mark}: ${fieldType(field, names)}`
  })
  return `{\n${fields.join('\n')}\n}`
}

function fieldType(field: Field, names: Names): string {
  if (!('node' in field)) return SCALARS[field.scalar].type
  const type = nodeType(field.node, names)
  return field.place === 'nodes' ? `${type}[]` : type
}

function nodeType(node: Node, names: Names): string {
  if (node.is === 'sequence') return `${nodeType(node.of, names)}[]`
  return names.get(node) ?? recordType(node, names)
}

/** The kind of a field that is the same wherever its name is used, or used most. */
type Kinds = ReadonlyMap<string, ScalarName>

function kindsOf(operations: readonly Operation[]): Kinds {
  const uses: Uses = new Map()
  const visit = (node: Node): void => {
    if (node.is === 'sequence') visit(node.of)
    else {
      for (const [name, field] of Object.entries(node.fields)) {
        if ('node' in field) visit(field.node)
        else count(uses, name, SCALARS[field.scalar].decode)
      }
    }
  }
  for (const { answer } of operations) if (answer.document !== null) visit(answer.document.node)
  const most = [...uses].map(([name, kinds]): [string, ScalarName] => [
    name,
    ([...kinds].sort(([, a], [, b]) => b - a)[0] as [ScalarName, number])[0],
  ])
  return new Map(most)
}

type Uses = Map<string, Map<ScalarName, number>>

function count(uses: Uses, name: string, kind: ScalarName): void {
  const kinds = uses.get(name) ?? new Map<ScalarName, number>()
  uses.set(name, kinds.set(kind, (kinds.get(kind) ?? 0) + 1))
}

/** Empty: all of its fields mean what they mean elsewhere. */
function recordDecoder(node: RecordShape, kinds: Kinds): string {
  const fields = Object.entries(node.fields).flatMap(([name, field]) => {
    const decode =
      'node' in field ? nodeDecoder(field.node, field.place === 'nodes', kinds) : scalarDecoder(name, field, kinds)
    return decode === '' ? [] : [`${name}: ${decode}`]
  })
  return fields.length === 0 ? '' : `record({ ${fields.join(', ')} })`
}

function scalarDecoder(name: string, { scalar }: { scalar: ScalarKind }, kinds: Kinds): string {
  const { decode } = SCALARS[scalar]
  return decode === kinds.get(name) ? '' : `scalars.${decode}`
}

function nodeDecoder(node: Node, isRepeated: boolean, kinds: Kinds): string {
  const isList = node.is === 'sequence'
  const inner = isList ? nodeDecoder(node.of, false, kinds) : recordDecoder(node, kinds)
  const decode = isList ? `${node.json === 'entries' ? 'entries' : 'many'}(${inner})` : inner
  return isRepeated ? `many(${decode})` : decode
}
