// Realistic values for a shape, by the names of its fields. The page and OpenAPI show them as the service's own writers
// write them, so an example is exactly what the service would answer.

import type { Operation } from '../http/operations/operation.ts'
import { jsonWriter } from '../http/representation/json.ts'
import type { Document, Field, Node, ScalarKind } from '../http/representation/shape.ts'
import { xmlWriter } from '../http/representation/xml.ts'
import type { Parameter } from '../http/requests/parameters.ts'
import { DAY_MS } from '../platform/runtime/durations.ts'
import { SANDBOX_CARDS, SANDBOX_CUSTOMERS, SANDBOX_PASSWORD, SANDBOX_PROFILES } from '../sandbox/world/customers.ts'
import { COMMENT_EXAMPLES } from './comment-examples.ts'
import { MODERATION_EXAMPLES } from './moderation-examples.ts'
import { EXAMPLE_DEPOSIT, WALLET_EXAMPLES } from './wallet-examples.ts'

type Scalar = string | number | boolean
/** One value per item of a list, repeated as needed; undefined omits an optional field. */
type Examples = { readonly [path: string]: readonly (Scalar | undefined)[] }

const MORNING = Date.UTC(2026, 10, 15, 9, 30)
const TICKET = 'TGT-48-u3XbT0cKq9VdLr7yPz2NfWm5sHa8eJg1iQoC6kYtBnDvEwR4xZ-paddock'

const LEAF =
  'tip id=18 profile=3 number=1 outcome=80021 sport=21 bet=70117 linked=- given=5/2 givenAtStartingPrice=N price=9/4 atStartingPrice=N eachWay=- created=2026-11-15T09:30:00.000Z text=1d1b0a2f7b9f3c5e8d6a4b2c0e9f7d5b3a1c8e6f4d2b0a9c7e5f3d1b8a6c4e2f'

/** The most specific of `grandparent.parent.field`, `parent.field` and `field` applies. */
const FIELD_EXAMPLES: Examples = {
  id: [2, 3],
  name: ['Bob Both Teams', 'Carol Cheltenham'],
  biography: ['Goals at both ends. League One & below.', 'Four days in March.'],
  picture: ['/pictures/default.png'],
  createdDateTimeZoned: [MORNING, MORNING - DAY_MS],
  numFollowings: [4, 6],
  numFollowers: [12, 18],
  isFlagged: [false],
  isFollowed: [true, false],
  isLiked: [true, false],
  isFeatured: [false],
  status: ['A'],
  rank: [1, 2],
  relationship: ['follower', 'followee'],
  'follow.profile.status': [undefined, 'A'],
  type: ['tip'],
  numLive: [3, 5],
  numWinning: [1, 2],
  numLikes: [7, 4],
  numUnread: [2],
  'notification.id': [412, 398],
  'notification.type': ['liked'],
  isRead: [false],
  numActors: [13, 2],
  action: [undefined],
  ...MODERATION_EXAMPLES,
  from: ['2026-08-18', '2026-08-20'],
  to: ['2026-11-14', '2026-11-15'],
  numSettled: [128, 94],
  numWon: [51, 30],
  numLost: [74, 62],
  numVoid: [3, 2],
  numOpen: [4],
  numWithdrawn: [2, 0],
  strikeRate: ['40.80', '32.61'],
  staked: ['125.00', '92.00'],
  profit: ['21.40', '9.15'],
  yield: ['17.12', '9.95'],
  yieldLow: ['-2.34', '-12.06'],
  yieldHigh: ['36.58', '31.95'],
  averageOdds: ['2.94', '3.36'],
  'closing.num': [110, 80],
  'closing.average': ['1.20', '-0.45'],
  'closing.beaten': [64, 37],
  'streak.type': ['W'],
  'streak.length': [3],
  longestLosing: [9],
  isRanked: [true],
  'tip.id': [18, 16],
  'tip.status': ['W', 'L'],
  isWithdrawn: [false],
  settled: ['2026-11-15', '2026-11-14'],
  odds: ['3.50', '1.80'],
  price: ['5/2', '4/5'],
  'tip.startingPrice': [undefined],
  eachWay: [undefined],
  'tip.staked': ['1.00'],
  'tip.profit': ['1.88', '-1.00'],
  'tip.closing': ['3.13', '-2.70'],
  result: ['win', 'lose'],
  deadHeat: [undefined],
  placeDeadHeat: [undefined],
  rule4: ['0.25', undefined],
  'cashOut.dateTimeZoned': [MORNING],
  'cashOut.fraction': ['1/2', '1/4'],
  ticket: [TICKET],
  location: [`/v1/sessions/tickets/${TICKET}`],
  expiryDateTimeZoned: [MORNING + 60 * DAY_MS],
  extended: [true],
  ...COMMENT_EXAMPLES,
  ...WALLET_EXAMPLES,
  origin: ['paddock-log-5a1c0e93b7d24f68'],
  size: [3],
  root: ['rP7mTKPnHwaXPnn6NGkFBv5E0eZq4j8iqhqVtWnXyJo='],
  time: ['2026-11-15T09:30:01.000Z'],
  keyId: ['6f0d1c52'],
  signature: ['dGhlIHNpZ25hdHVyZSBvZiB0aGlzIGNoZWNrcG9pbnQgaGFzIHNpeHR5LWZvdXIgYnl0ZXMgaW4gYWxsIC4uLi4uLg=='],
  index: [0, 2],
  leaf: [
    LEAF,
    'settlement tip=18 result=win deadHeat=- placeDeadHeat=- rule4=0.00 startingPrice=- closing=9/4 settled=2026-11-15T15:05:00.000Z grade=W staked=1 profit=2.250000 inPlay=N',
  ],
  path: ['FGA2hD0kQJ1FmrYyGQhbQGJ9vaKGkGmqJ8lDhAhOQEk= 4C8Lw9dJYI5lGbO0L2jvMXCjXrVb2PJxIWxNq0Y5vWw='],
  salt: ['0f3c9a7be1d24c5586f0a9b3c2d1e4f7'],
  state: ['live'],
  grade: ['W'],
  'entry.staked': ['1'],
  'entry.profit': ['2.250000'],
  inPlay: [false],
  'entry.status': ['W'],
  'key.id': ['6f0d1c52'],
  algorithm: ['Ed25519'],
  publicKey: ['Kw1t0rY7u0mGZ3oI5b1rV9hQx2c8nD4pL6sJ7kT0aXE='],
  created: ['2026-11-15T09:00:00.000Z'],
  retired: [undefined],
  first: [2],
  second: [3],
  faultCode: ['10071'],
  faultString: ['Invalid request parameter'],
  faultName: ['id'],
  solution: [undefined],
}

/** Operations that answer with other values than most. */
const ANSWER_OVERRIDES: { readonly [operation: string]: Examples } = {
  unfollowProfile: { status: ['I'] },
  unmuteProfile: { status: ['I'] },
  unblockProfile: { status: ['I'] },
  createCommentOnOutcomeId: { numLikes: [0], isFlagged: [false], isLiked: [false] },
  makeDeposit: { status: ['challenge'] },
  getDeposit: { status: ['challenge'] },
  finishChallenge: { status: ['authorised'] },
  cancelChallenge: { status: ['void'] },
}

/** Tips of the sandbox: one of carol's to react to, and one of alice's own. Their ids follow the order of the seed. */
const TIP = '18'
const OWN_TIP = '14'
const reaction = { id: TIP }

/** These work in the sandbox with alice's ticket, however often they are sent. */
const PARAMETER_EXAMPLES: { readonly [name: string]: string } = {
  id: '2',
  username: SANDBOX_CUSTOMERS[0].username,
  password: SANDBOX_PASSWORD,
  ticket: TICKET,
  sportId: '21',
  linkedId: '80021',
  priceNum: '5',
  priceDen: '2',
  transactionType: 'deposit',
  amount: '25.00',
  cv2: '123',
  userAgent: 'Mozilla/5.0',
  acceptHeader: 'text/html',
  language: 'en-GB',
  ip: '192.0.2.7',
  upTo: '412',
  note: 'Advertises another site',
  commentId: TIP,
  first: '1',
  second: '2',
  q: 'stays',
}

/** Operations that need other values than most; their requests show these, required or not. */
const PARAMETER_OVERRIDES: { readonly [operation: string]: { readonly [name: string]: string } } = {
  checkTicket: { ticket: SANDBOX_CUSTOMERS[0].ticket },
  updateMyProfile: { ...SANDBOX_PROFILES[0] },
  getCommentsById: reaction,
  flagComment: { ...reaction, reason: 'false-claim', note: 'He backed the other one' },
  unflagComment: reaction,
  likeComment: reaction,
  unlikeComment: reaction,
  deactivateComment: { id: OWN_TIP },
  getAllMyFollowingsComments: { details: 'Y' },
  createCommentOnOutcomeId: { id: '80033', betId: '70013', text: 'Fresher than the price says' },
  getEvent: { id: '501' },
  getCommentsByEventId: { id: '501', details: 'Y' },
  searchProfiles: { q: 'bob' },
  searchComments: { details: 'Y' },
  takeTimeOut: { hours: '24' },
  excludeMyself: { months: '6' },
  setMyLimit: { amount: '5000.00' },
  confirmMyLimit: { period: 'month' },
  makeTransaction: { id: `${SANDBOX_CARDS[0]?.id}` },
  makeDeposit: { id: '112', returnUrl: 'http://127.0.0.1:8080/cashier/', 'Idempotency-Key': EXAMPLE_DEPOSIT.key },
  getDeposit: { paymentId: EXAMPLE_DEPOSIT.paymentId },
  finishChallenge: { paymentId: EXAMPLE_DEPOSIT.paymentId, redirectResult: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ' },
  cancelChallenge: { paymentId: EXAMPLE_DEPOSIT.paymentId },
  // After the example of makeTransaction, once its deposit is captured; repeated, it is the same withdrawal.
  makeWithdrawal: { amount: '5.00', id: `${SANDBOX_CARDS[0]?.id}`, 'Idempotency-Key': 'example-withdrawal' },
  getWithdrawal: { id: '1' },
  // Nobody follows this profile, so that blocking it changes no other example.
  blockProfile: { id: '20' },
  unblockProfile: { id: '20' },
  muteProfile: { hours: '24' },
  appealDecision: { decisionId: '1', text: 'It was a joke between friends' },
}

export type XmlAndJson = { readonly xml: string; readonly json: string }

export function answerExample(operation: Operation): XmlAndJson | null {
  const { document, mayBeEmpty } = operation.answer
  if (document === null) return null
  const extensions = Object.entries(operation.parameters).filter(([, { extension }]) => extension)
  const value = exampleValue(document, {
    items: mayBeEmpty ? 2 : 1,
    examples: ANSWER_OVERRIDES[operation.name] ?? {},
    extensions: extensions.some(([name]) => parameterExample(operation, name).shown),
  })
  return { xml: xmlWriter(document)(value as never), json: jsonWriter(document)(value as never) }
}

type ParameterExample = {
  readonly value: string
  /** Whether the sample request contains it: required, or chosen for this operation. */
  readonly shown: boolean
}

export function parameterExample(operation: Operation, name: string): ParameterExample {
  const { schema, required } = operation.parameters[name] as Parameter
  const own = PARAMETER_OVERRIDES[operation.name]?.[name]
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((choice) => choice !== '') : []
  const value = own ?? PARAMETER_EXAMPLES[name] ?? String(schema.default ?? choices[0] ?? '')
  return { value, shown: required || own !== undefined }
}

type ExampleOptions = {
  readonly items: number
  readonly examples: Examples
  /** Whether the sample request has an extension parameter, so that the answer has the fields that it adds. */
  readonly extensions: boolean
}
type Position = { readonly path: readonly string[]; readonly index: number }

function exampleValue(document: Document, options: ExampleOptions): unknown {
  return nodeExample(document.node, { path: [document.root], index: 0 }, options)
}

function nodeExample(node: Node, position: Position, options: ExampleOptions): unknown {
  if (node.is === 'sequence') {
    const path = [...position.path, node.item]
    // A list of pairs shows one complete pair.
    const items = node.of.is === 'sequence' ? 1 : position.path.length > 1 ? 2 : options.items
    return Array.from({ length: items }, (_, index) => nodeExample(node.of, { path, index }, options))
  }
  const fields = Object.entries(node.fields).map(([name, field]) => {
    const path = [...position.path, name]
    return [name, fieldExample(field, { path, index: position.index }, options)]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function fieldExample(field: Field, position: Position, options: ExampleOptions): unknown {
  if (field.extension && !options.extensions) return undefined
  if (field.place === 'node') return nodeExample(field.node, position, options)
  if (field.place === 'nodes') {
    return Array.from({ length: options.items }, (_, index) => nodeExample(field.node, { ...position, index }, options))
  }
  const found = lookUp(options.examples, position) ?? lookUp(FIELD_EXAMPLES, position) ?? [FALLBACK[field.scalar]]
  const value = found[position.index % found.length]
  if (value === undefined) return field.optional ? undefined : FALLBACK[field.scalar]
  return typeof value === typeof FALLBACK[field.scalar] ? value : convertExample(field.scalar, value)
}

function lookUp(examples: Examples, { path }: Position): Examples[string] | undefined {
  for (const length of [3, 2, 1]) {
    const found = examples[path.slice(-length).join('.')]
    if (found !== undefined) return found
  }
  return undefined
}

const FALLBACK: { readonly [K in ScalarKind]: Scalar } = {
  integer: 1,
  signedInteger: 1,
  decimal: '1.50',
  signedDecimal: '1.50',
  fraction: '1/2',
  text: 'text',
  yesNo: true,
  date: '2026-11-15',
  dateTime: MORNING,
  utcDateTime: '2026-11-15 09:30:00',
  status: 'A',
}

/** The same name can be a number in one answer and text in another. */
function convertExample(scalar: ScalarKind, value: Scalar): Scalar {
  if (scalar === 'text') return typeof value === 'boolean' ? (value ? 'Y' : 'N') : String(value)
  const number = Number(value)
  return scalar === 'integer' && Number.isSafeInteger(number) && number >= 0 ? number : FALLBACK[scalar]
}
