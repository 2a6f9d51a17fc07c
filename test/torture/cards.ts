// Cards that operators close and reopen, remove and add again, and whose account two persons record as closed.

import { randomInt } from 'node:crypto'
import { decideTogether, type Office, someone } from './office.ts'
import { type PaymentPicker, pickOf } from './payments.ts'
import { sleep } from './processes.ts'
import { bodyOfCard, cardOf, OUTSIDE, TOKENS } from './world.ts'

export type CardDesk = {
  readonly office: Office
  readonly pick: PaymentPicker
  /** Closed by an operator at some time: what they paid in stays reserved. */
  readonly closed: Set<string>
  /** The account behind them is closed since, by card. */
  readonly accountClosed: Map<string, number>
  mayChange(customerId: number): boolean
}

const pathOf = (customerId: number, card: number) => `/customers/${customerId}/payment-methods/${card}`

async function closeAndReopen({ office, closed }: CardDesk, customerId: number, index: number): Promise<void> {
  const card = cardOf(customerId, index)
  const path = `${pathOf(customerId, card)}/closure`
  closed.add(`${card}`)
  const { status } = await someone(office)('POST', path, { reason: 'reported stolen' })
  office.journal.note(`card closed ${status}`, customerId, `card ${card}`)
  await sleep(randomInt(4_000))
  if (randomInt(4) === 0) return
  const reopened = await someone(office)('DELETE', path)
  office.journal.note(`card reopened ${reopened.status}`, customerId, `card ${card}`)
}

async function removeAndAdd({ office }: CardDesk, customerId: number, index: number): Promise<void> {
  const card = cardOf(customerId, index)
  const { status } = await someone(office)('DELETE', pathOf(customerId, card))
  office.journal.note(`card removed ${status}`, customerId, `card ${card}`)
  await sleep(randomInt(4_000))
  const added = await someone(office)('PUT', pathOf(customerId, card), bodyOfCard(customerId, index))
  office.journal.note(`card added ${added.status}`, customerId, `card ${card}`)
}

export async function closeAccount(
  { office, accountClosed }: CardDesk,
  customerId: number,
  card: number,
): Promise<void> {
  const answers = await decideTogether(office, {
    about: `account ${card}`,
    customerId,
    path: `${pathOf(customerId, card)}/account-closure`,
    body: { note: 'letter of the bank' },
    isDone: ({ body }) => body.accountClosedAt !== null,
  })
  if (answers.some(({ body }) => body?.accountClosedAt)) accountClosed.set(`${card}`, Date.now())
}

/** Another token or number is another card: a card that has paid in keeps its own. */
async function replaceToken({ office, pick }: CardDesk): Promise<void> {
  const deposit = (await pick('&state=CAPTURED')) as { customerId: string; paymentMethodId: string } | undefined
  if (deposit === undefined) return
  const { customerId, paymentMethodId } = deposit
  const index = Number(paymentMethodId) - cardOf(Number(customerId), 0)
  const { card, ...rest } = bodyOfCard(Number(customerId), index)
  const changed = { ...rest, card: { ...card, number: '555555******4444' } }
  const { status } = await someone(office)('PUT', pathOf(Number(customerId), Number(paymentMethodId)), changed)
  office.journal.note(`card of another number ${status}`, customerId, `card ${paymentMethodId}`)
  if (status < 300) office.violations.push(`card ${paymentMethodId}: has paid in, and got another number`)
}

export async function changeCardsUntil(desk: CardDesk, customers: number, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const customerId = randomInt(1, customers + 1)
    const index = randomInt(TOKENS.length)
    const what = randomInt(12)
    if (what === 0) await replaceToken(desk)
    else if (!desk.mayChange(customerId) || customerId === OUTSIDE) await sleep(50)
    else if (what === 1) await closeAccount(desk, customerId, cardOf(customerId, index))
    else await pickOf([closeAndReopen, removeAndAdd])(desk, customerId, index)
    await sleep(randomInt(1_000))
  }
}
