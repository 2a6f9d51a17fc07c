// Debts that two persons write off, and money that no card can take, which two persons record as paid outside.

import { randomInt } from 'node:crypto'
import type { Answer } from './calls.ts'
import { type CardDesk, closeAccount } from './cards.ts'
import { decideTogether, type Office, someone } from './office.ts'
import { formatUnits } from './payments.ts'
import { sleep } from './processes.ts'
import { units } from './statements.ts'
import { cardOf, OUTSIDE, TOKENS } from './world.ts'

export type DebtDesk = {
  readonly office: Office
  /** What was written off, in hundredths, by customer. */
  readonly writtenOff: Map<number, bigint>
  /** A person's answer was lost: it was written off, or is still proposed. By customer. */
  readonly inDoubt: Map<number, bigint[]>
  /** What was recorded as paid outside, by the bank's reference. */
  readonly outside: Map<string, bigint>
}

/** A part of the debt, or all of it. */
export async function writeOff({ office, writtenOff, inDoubt }: DebtDesk, customerId: number): Promise<void> {
  const { body } = await someone(office)('GET', `/customers/${customerId}`)
  const debt = units(body.debt)
  if (debt === 0n) return
  const amount = randomInt(2) === 0 ? debt : 1n + BigInt(randomInt(Number(debt)))
  const answers = await decideTogether(office, {
    about: `debt ${customerId}`,
    customerId,
    path: `/customers/${customerId}/debt-write-offs`,
    body: { amount: formatUnits(amount), note: 'cannot be collected' },
    isDone: isBooked,
  })
  if (answers.some(isBooked)) {
    writtenOff.set(customerId, (writtenOff.get(customerId) ?? 0n) + amount)
  } else inDoubt.set(customerId, [...(inDoubt.get(customerId) ?? []), amount])
}

const isBooked = ({ status }: Answer) => status === 201

export async function writeOffUntil(desk: DebtDesk, customers: number, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    await writeOff(desk, randomInt(1, customers + 1))
    await sleep(randomInt(2_000))
  }
}

/** Of a customer whose cards can take nothing any more. */
export async function payOutside({ office, outside }: DebtDesk): Promise<void> {
  const { body } = await someone(office)('GET', `/customers/${OUTSIDE}/withdrawal-options`)
  const available = units(body.available)
  if (available === 0n) return
  const amount = randomInt(2) === 0 ? available : 1n + BigInt(randomInt(Number(available)))
  const bankReference = `FT-${outside.size + 1}`
  // Before it is asked for: an answer may be lost.
  outside.set(bankReference, amount)
  await decideTogether(office, {
    about: `outside ${OUTSIDE}`,
    customerId: OUTSIDE,
    path: `/customers/${OUTSIDE}/outside-payments`,
    body: { amount: formatUnits(amount), bankReference, note: 'letter of the bank' },
    isDone: isBooked,
  })
}

/** The accounts behind all cards of one customer close; from then on money goes to them outside. */
export async function payOutsideUntil(desk: DebtDesk, cards: CardDesk, isStopping: () => boolean): Promise<void> {
  for (const at = Date.now() + 10_000; Date.now() < at; await sleep(200)) if (isStopping()) return
  for (const index of TOKENS.keys()) await closeAccount(cards, OUTSIDE, cardOf(OUTSIDE, index))
  while (!isStopping()) {
    await payOutside(desk)
    await sleep(randomInt(3_000))
  }
}
