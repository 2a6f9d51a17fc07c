import {
  attribute,
  child,
  children,
  document,
  element,
  optional,
  record,
  type Value,
} from '../http/representation/shape.ts'

// Times are text, as they are signed.
const checkpoint = record({
  origin: element('text'),
  size: element('integer'),
  root: element('text'),
  time: element('text'),
  keyId: element('text'),
  signature: element('text'),
})

const provenEntry = record({
  index: attribute('integer'),
  leaf: element('text'),
  // Hashes in Base64, separated by spaces.
  path: element('text'),
  // For a tip that is shown: with its text it gives the leaf's hash of the text.
  salt: optional(element('text')),
})

// What a tip is now; its last leaves must agree.
const entry = record({
  index: attribute('integer'),
  leaf: element('text'),
  status: optional(element('status')),
  state: optional(element('text')),
  grade: optional(element('text')),
  staked: optional(element('text')),
  profit: optional(element('text')),
  inPlay: optional(element('yesNo')),
})

const key = record({
  id: attribute('text'),
  algorithm: element('text'),
  publicKey: element('text'),
  created: element('text'),
  retired: optional(element('text')),
})

export const logCheckpoint = document('whoLog', record({ checkpoint: child(checkpoint) }))
export const logProofs = document('whoLog', record({ checkpoint: child(checkpoint), entry: children(provenEntry) }))
export const logConsistency = document(
  'whoLog',
  record({
    consistency: child(record({ first: attribute('integer'), second: attribute('integer'), path: element('text') })),
  }),
)
export const logEntries = document('whoLog', record({ entry: children(entry) }))
export const logKeys = document('whoLog', record({ key: children(key) }))

export type LogCheckpoint = Value<typeof checkpoint>
export type ProvenEntry = Value<typeof provenEntry>
export type LogEntry = Value<typeof entry>
export type LogKey = Value<typeof key>
