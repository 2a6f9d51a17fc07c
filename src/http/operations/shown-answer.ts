// The body of an answer as operators may see it, among the last requests of an application in the sandbox. Of its texts only those
// in this list are shown: all others may be what a customer wrote, a ticket or the number of a card.

import { Fault, type FaultKind } from '../../faults.ts'
import type { Representation } from '../answers/negotiate.ts'
import type { Writer } from '../representation/compile.ts'
import type { Document, Node } from '../representation/shape.ts'
import { faultBody } from './failures.ts'
import { areaOf } from './operation.ts'

const MAX_LENGTH = 4_000
const LEFT_OUT = '…'

/** Fields by their names, and by those of what has them where others have such a field too. */
const SHOWN_TEXTS = new Set([
  ...['event.name', 'market.name', 'outcome.name', 'sportName', 'score', 'clock'],
  ...['result', 'grade', 'staked', 'profit'],
  ...['id', 'type', 'relationship', 'action', 'status', 'state', 'party', 'ground', 'clause', 'period', 'limitPeriod'],
  ...['paymentId', 'currency', 'minDeposit', 'maxDeposit', 'country', 'scheme', 'deposit.reason', 'method'],
  ...['origin', 'root', 'time', 'keyId', 'signature', 'algorithm', 'publicKey', 'created', 'retired'],
])

type Writers = Readonly<Record<Representation, Writer>>

/** `writers`: those of the document. */
export function shownAnswerOf({ root, node }: Document, writers: Writers) {
  return (value: unknown, representation: Representation): string =>
    bounded(writers[representation](masked(node, value, root) as never))
}

/** Leaves out the solution, which may be a customer's text. */
export function shownFault(kind: FaultKind, faultName: string | undefined, to: AnsweredTo): string {
  return bounded(faultBody(new Fault(kind, faultName), to.representation, areaOf(to.path)).text)
}

type AnsweredTo = { readonly representation: Representation; readonly path: string }

/** A copy: a part of a string keeps the whole string in memory. */
function bounded(text: string): string {
  return text.length <= MAX_LENGTH ? text : Buffer.from(text.slice(0, MAX_LENGTH - 1) + LEFT_OUT).toString()
}

function masked(node: Node, value: unknown, name: string): unknown {
  if (node.is === 'sequence') return (value as unknown[]).map((item) => masked(node.of, item, node.item))
  const values = value as Readonly<Record<string, unknown>>
  const fields = Object.entries(node.fields).map(([own, field]) => {
    const given = values[own]
    if (given === undefined || given === null) return [own, given]
    if (field.place === 'node') return [own, masked(field.node, given, own)]
    if (field.place === 'nodes') return [own, (given as unknown[]).map((one) => masked(field.node, one, own))]
    const isShown = field.scalar !== 'text' || SHOWN_TEXTS.has(own) || SHOWN_TEXTS.has(`${name}.${own}`)
    return [own, isShown ? given : LEFT_OUT]
  })
  return Object.fromEntries(fields)
}
