// What the bank says late of the parts of withdrawals: that one came back after it was paid, that one was paid after it had been returned,
// another amount, another currency.

import { randomInt } from 'node:crypto'
import { type News, type Notified, notify } from './bank-notifications.ts'
import { formatUnits, pickOf } from './payments.ts'
import { sleep } from './processes.ts'
import { units } from './statements.ts'
import type { Part, Withdrawal } from './withdrawal-decisions.ts'

/** notified: the bank said something that its own list does not. looked up: two persons said what its list has. */
export type Touched = 'notified' | 'looked up'

export type PartNews = {
  readonly notified: Notified
  /** By part. */
  readonly touched: Map<string, Touched>
  mayNotify(customerId: number): boolean
}

const EVENTS: Readonly<Record<Part['kind'], Partial<Record<Part['state'], readonly News[]>>>> = {
  return: {
    SENDING: [{ event: 'REFUND' }, { event: 'REFUND_FAILED' }],
    PAID: [{ event: 'REFUNDED_REVERSED' }, { event: 'REFUND_FAILED' }],
    RETURNED: [{ event: 'REFUND' }],
  },
  payout: {
    SENDING: [{ event: 'PAYOUT_THIRDPARTY' }, { event: 'PAYOUT_THIRDPARTY', success: false }],
    PAID: [{ event: 'PAIDOUT_REVERSED' }],
    RETURNED: [{ event: 'PAYOUT_THIRDPARTY' }],
  },
  outside: {},
}

/** All of the part, half of it, more than it is, or money of another currency. */
function termsOf({ amount }: Part): Pick<News, 'amount' | 'currency'> {
  const what = randomInt(8)
  if (what === 0) return { amount, currency: 'EUR' }
  if (what === 1) return { amount: formatUnits(units(amount) + 100n) }
  if (what < 4 && units(amount) > 1n) return { amount: formatUnits(units(amount) / 2n) }
  return { amount }
}

async function notifyOf({ notified, touched }: PartNews, { id, customerId }: Withdrawal, part: Part): Promise<void> {
  const events = EVENTS[part.kind][part.state] ?? []
  if (events.length === 0) return
  touched.set(part.id, 'notified')
  for (let times = randomInt(1, 4); times > 0; times--) {
    const news = { ...pickOf(events), ...termsOf(part), partId: part.id }
    await notify(notified, { name: `withdrawal ${id}`, customerId }, news)
    if (randomInt(2) === 0) await notify(notified, { name: `withdrawal ${id}`, customerId }, news)
  }
}

export async function partNewsUntil(news: PartNews, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const { body } = await news.notified.ask(
      'GET',
      `/withdrawals?limit=60&state=${pickOf(['PAID', 'SENDING', 'RETURNED'])}`,
    )
    const withdrawals = (body.items as Withdrawal[]).filter(({ customerId }) => news.mayNotify(Number(customerId)))
    const left = withdrawals.flatMap((one) =>
      one.parts.filter(({ id }) => !news.touched.has(id)).map((part) => [one, part] as const),
    )
    if (left.length > 0) await notifyOf(news, ...pickOf(left))
    await sleep(randomInt(1_000))
  }
}
