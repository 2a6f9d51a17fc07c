// All that moves money in a torture run.

import { randomInt, randomUUID } from 'node:crypto'
import type { Notified } from './bank-notifications.ts'
import { type Bookkeeper, bookkeeper } from './books.ts'
import { type Ask, listAll, type WalletCalls, walletCalls } from './calls.ts'
import { type CaptureNews, captureNewsUntil } from './captures.ts'
import { type CardDesk, changeCardsUntil } from './cards.ts'
import { challengeClient, transactionClient } from './clients.ts'
import { type DebtDesk, payOutsideUntil, writeOffUntil } from './debts.ts'
import { type Bank, disputeUntil } from './disputes.ts'
import { type Exclusions, excludeLater } from './exclusions.ts'
import type { Attempt, Deposit } from './invariants.ts'
import type { Journal } from './journal.ts'
import { feedUntil, moveUntil, type Sportsbook } from './movements.ts'
import type { Office } from './office.ts'
import { type PartNews, partNewsUntil } from './part-news.ts'
import { paymentPicker } from './payments.ts'
import { sleep } from './processes.ts'
import { finishRefunds, nothingPlayed, type Refund, type RefundDesk, refundUntil } from './refunds.ts'
import { type ReviewDesk, resolveAll, reviewUntil } from './reviews.ts'
import { decideUntil, finishWithdrawals, type WithdrawalDesk } from './withdrawal-decisions.ts'
import { type Withdrawals, withdrawingCustomers } from './withdrawals.ts'
import { CUSTOMERS, CV2, cardOf, EXCLUDED, hasOnlyDeposits, PLAIN_TOKENS, TOKENS, type World } from './world.ts'

export type Money = {
  readonly ask: Ask
  readonly call: WalletCalls
  readonly tickets: readonly string[]
  readonly journal: Journal
  readonly attempts: Attempt[]
  readonly challenges: ReturnType<typeof challengeClient>
  readonly makeTransaction: ReturnType<typeof transactionClient>
  readonly withdrawals: Withdrawals
  readonly movements: Sportsbook
  readonly office: Office
  readonly notified: Notified
  readonly bank: Bank
  readonly captures: CaptureNews
  readonly parts: PartNews
  readonly refunds: RefundDesk
  readonly decisions: WithdrawalDesk
  readonly reviews: ReviewDesk
  readonly cards: CardDesk
  readonly debts: DebtDesk
  readonly exclusions: Exclusions
  readonly books: Bookkeeper
}

type Options = { world: World; operators: readonly Ask[]; tickets: readonly string[]; journal: Journal }

export function prepareMoney({ world, operators, tickets, journal }: Options): Money {
  const ask = operators[0] as Ask
  const call = walletCalls(world.publicUrl)
  const challenges = challengeClient(world.publicUrl)
  challenges.strangers.push(...tickets)
  const isDisturbed = (customerId: number) => !hasOnlyDeposits(customerId)
  const anybody = () => true
  const office: Office = { operators, journal, violations: [] }
  const notified: Notified = { ask, journal, outcomes: [], violations: [] }
  // What the bank says of one payment must not contradict what it says of it elsewhere.
  const pick = paymentPicker(ask, isDisturbed)
  const played = nothingPlayed()
  const parts: PartNews = { notified, touched: new Map(), mayNotify: isDisturbed }
  const cards: CardDesk = {
    ...{ office, closed: new Set<string>(), accountClosed: new Map<string, number>() },
    ...{ pick: paymentPicker(ask, anybody), mayChange: isDisturbed },
  }
  return {
    ...{ ask, call, tickets, journal, challenges, attempts: [], office, notified, parts, cards },
    makeTransaction: transactionClient(world.publicUrl),
    withdrawals: withdrawingCustomers(call, journal, cards.closed),
    movements: { ask, journal, customers: CUSTOMERS, applied: new Map(), violations: [], mayWin: isDisturbed },
    bank: { notified, steps: new Map(), pick },
    captures: { notified, payments: new Set(), pick },
    refunds: { ...office, played, notified, pick: paymentPicker(ask, anybody), pickForeign: pick },
    decisions: { operators, journal, refused: new Map(), violations: [] },
    reviews: { office, atBank: world.atGateway, refunds: played, parts: parts.touched, settled: new Map() },
    debts: { office, writtenOff: new Map(), inDoubt: new Map(), outside: new Map() },
    exclusions: { ask, call, journal, since: new Map() },
    books: bookkeeper(ask, call, tickets),
  }
}

async function deposit(money: Money, customerId: number, ticket: string): Promise<void> {
  const key = randomUUID()
  const amount = `${randomInt(1, 12)}.${randomInt(10, 100)}`
  const card = randomInt(TOKENS.length)
  const terms = { amount, id: `${cardOf(customerId, card)}`, cv2: CV2 }
  const make = card < PLAIN_TOKENS.length ? money.makeTransaction : money.challenges.deposit
  const answer = await make(terms, ticket, key)
  money.attempts.push({ key, answer })
  money.journal.note(`deposit ${answer}`, customerId, `${amount} from card ${terms.id}, key ${key}`)
}

/** One thing after the other; what others do with the account happens at the same time. */
async function customer(money: Money, customerId: number, isStopping: () => boolean): Promise<void> {
  const ticket = money.tickets[customerId - 1] as string
  while (!isStopping() && !money.exclusions.since.has(customerId)) {
    if (randomInt(4) === 0) await money.withdrawals.withdrawOnce(customerId, ticket)
    else await deposit(money, customerId, ticket)
    await sleep(randomInt(400))
  }
}

export function startMoney(money: Money, isStopping: () => boolean): Promise<void>[] {
  const { operators } = money.office
  return [
    ...money.tickets.map((_, index) => customer(money, index + 1, isStopping)),
    ...operators.map((_, who) => decideUntil(money.decisions, who, isStopping)),
    ...operators.map(() => refundUntil(money.refunds, isStopping)),
    moveUntil(money.movements, isStopping),
    feedUntil(money.movements, isStopping),
    disputeUntil(money.bank, isStopping),
    disputeUntil(money.bank, isStopping),
    captureNewsUntil(money.captures, isStopping),
    partNewsUntil(money.parts, isStopping),
    partNewsUntil(money.parts, isStopping),
    reviewUntil(money.reviews, isStopping),
    changeCardsUntil(money.cards, CUSTOMERS, isStopping),
    writeOffUntil(money.debts, CUSTOMERS, isStopping),
    payOutsideUntil(money.debts, money.cards, isStopping),
    ...EXCLUDED.map((id) => excludeLater(money.exclusions, id, money.tickets[id - 1] as string, isStopping)),
    money.books.checkUntil(isStopping),
  ]
}

const UNDECIDED = ['AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'VOIDING', 'REVIEW']
/** Longer than REVIEW_AFTER_SECONDS: so long may one call without an answer keep the next of its deposit waiting. */
const PATIENCE_MS = 240_000

/** Operators decide what waits, until nothing is on its way, or nothing has changed for long. */
export async function finishMoney(money: Money): Promise<void> {
  let before = ''
  for (let end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(1_000)) {
    const paying = await finishWithdrawals(money.decisions)
    await resolveAll(money.reviews)
    const refunds = await listAll<Refund>(money.ask, '/refunds')
    await finishRefunds(money.refunds, refunds)
    const returning = refunds.filter(({ state }) => state !== 'DONE' && state !== 'FAILED')
    const undecided = (await listAll<Deposit>(money.ask, '/deposits')).filter(({ state }) => UNDECIDED.includes(state))
    const open = [...paying, ...returning, ...undecided]
    if (open.length === 0) return
    const now = JSON.stringify(open.map((one) => ['id' in one ? one.id : one.paymentId, one.state]))
    if (now !== before) end = Date.now() + PATIENCE_MS
    before = now
  }
}
