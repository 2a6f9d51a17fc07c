// The sportsbook: stakes, winnings, returned stakes and adjustments, one by one and in feeds, some sent twice or with other
// terms, some beyond the balance.

import { randomInt } from 'node:crypto'
import type { Ask } from './calls.ts'
import type { Journal } from './journal.ts'
import { sleep } from './processes.ts'
import type { Lines } from './statements.ts'

const KINDS = ['stake', 'stake', 'stake', 'winnings', 'winnings', 'void', 'adjustment'] as const
/** Of a stake that nobody can pay. */
const BEYOND = '900000.00'
const LINES = 20

export type Movement = {
  readonly reference: string
  readonly customerId: number
  readonly kind: (typeof KINDS)[number]
  readonly amount: string
}

/** `applied`: by reference, what was answered as applied. `mayWin`: the customers who get more than they stake. */
export type Sportsbook = {
  readonly ask: Ask
  readonly journal: Journal
  readonly customers: number
  readonly applied: Map<string, Movement>
  readonly violations: string[]
  mayWin(customerId: number): boolean
}

let references = 0

function newMovement({ customers, mayWin }: Sportsbook): Movement {
  const customerId = randomInt(1, customers + 1)
  const kind = mayWin(customerId) ? (KINDS[randomInt(KINDS.length)] as Movement['kind']) : 'stake'
  const sign = kind === 'adjustment' && randomInt(2) === 0 ? '-' : ''
  const isBeyond = kind === 'stake' && randomInt(8) === 0
  const amount = isBeyond ? BEYOND : `${sign}${randomInt(1, 12)}.${randomInt(10, 100)}`
  return { reference: `move-${++references}`, customerId, kind, amount }
}

function record({ journal, applied, violations }: Sportsbook, movement: Movement, answer: string): void {
  const { reference, customerId, kind, amount } = movement
  journal.note(`movement ${answer}`, customerId, `${reference} ${kind} ${amount}`)
  if (answer === 'refused') return
  applied.set(reference, movement)
  if (amount === BEYOND) violations.push(`${reference}: a stake of ${amount} was applied`)
}

async function sendAlone(book: Sportsbook, movement: Movement): Promise<void> {
  const { status, body } = await book.ask('POST', '/movements', movement)
  if (status === 201 || status === 200) record(book, movement, 'applied')
  else if (status === 422) record(book, movement, 'refused')
  else book.violations.push(`${movement.reference}: answered ${status} ${body.detail}`)
}

/** Some were sent before: these move nothing. */
async function sendFeed(book: Sportsbook, movements: readonly Movement[]): Promise<void> {
  const lines = movements.map(({ reference, ...data }) => JSON.stringify({ put: 'movement', id: reference, data }))
  const { status, body } = await book.ask('POST', '/feed', `${lines.join('\n')}\n`)
  if (status !== 200) return void book.violations.push(`feed: answered ${status} ${body.detail}`)
  const refused = new Set(body.refusals.map(({ line }: { line: number }) => line))
  movements.forEach((movement, index) => {
    record(book, movement, refused.has(index + 1) ? 'refused' : 'applied by a feed')
  })
}

/** With a reference that was applied. */
async function sendOtherTerms({ ask, violations }: Sportsbook, movement: Movement): Promise<void> {
  const { status } = await ask('POST', '/movements', { ...movement, amount: '777.77' })
  if (status < 400) violations.push(`${movement.reference}: applied again, with other terms`)
}

export async function moveUntil(book: Sportsbook, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const movement = newMovement(book)
    const times = randomInt(5) === 0 ? 2 : 1
    await Promise.all(Array.from({ length: times }, () => sendAlone(book, movement)))
    if (randomInt(20) === 0 && book.applied.has(movement.reference)) await sendOtherTerms(book, movement)
    await sleep(randomInt(120))
  }
}

export async function feedUntil(book: Sportsbook, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const earlier = [...book.applied.values()].slice(-randomInt(1, 4))
    const feed = [...Array.from({ length: LINES }, () => newMovement(book)), ...earlier]
    const times = randomInt(3) === 0 ? 2 : 1
    await Promise.all(Array.from({ length: times }, () => sendFeed(book, feed)))
    await sleep(randomInt(1_500))
  }
}

const TYPES: readonly string[] = KINDS

/** What was applied is a line of its customer, once and with its amount, and nothing else is. */
export function movementViolations(applied: ReadonlyMap<string, Movement>, lines: Lines): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  for (const [customerId, own] of lines) {
    for (const { type, reference = '', amount } of own.filter((line) => TYPES.includes(line.type))) {
      const movement = applied.get(reference)
      if (seen.has(reference)) found.push(`${reference}: applied twice`)
      seen.add(reference)
      if (movement === undefined) found.push(`${reference}: on the statement, though refused or never sent`)
      else if (movement.customerId !== customerId || movement.kind !== type || changeOf(movement) !== amount)
        found.push(`${reference}: the line of customer ${customerId} is ${type} ${amount}`)
    }
  }
  for (const reference of applied.keys())
    if (!seen.has(reference)) found.push(`${reference}: answered as applied, not on the statement`)
  return found
}

/** In hundredths. */
export function changeOf({ kind, amount }: Movement): bigint {
  const sum = BigInt(amount.replace('.', ''))
  return kind === 'stake' ? -sum : sum
}
