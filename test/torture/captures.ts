// What the bank says about captures: that one failed, and that it was made after all; that a payment was taken although it was cancelled.

import { randomInt } from 'node:crypto'
import { type Notified, notify } from './bank-notifications.ts'
import type { Deposit } from './invariants.ts'
import type { PaymentPicker } from './payments.ts'
import { sleep } from './processes.ts'

export type CaptureNews = {
  readonly notified: Notified
  /** The payments that were reported. */
  readonly payments: Set<string>
  readonly pick: PaymentPicker
}

async function notifyOf({ notified, payments }: CaptureNews, deposit: Deposit): Promise<void> {
  const { paymentId, customerId, state } = deposit
  payments.add(paymentId)
  const about = { name: paymentId, customerId }
  if (state !== 'CAPTURED') return void (await notify(notified, about, { paymentId, event: 'CAPTURE' }))
  await notify(notified, about, { paymentId, event: 'CAPTURE_FAILED' })
  await sleep(randomInt(2_000))
  if (randomInt(2) === 0) await notify(notified, about, { paymentId, event: 'CAPTURE' })
}

export async function captureNewsUntil(news: CaptureNews, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const deposit = await news.pick(randomInt(3) === 0 ? '&state=VOIDED' : '&state=CAPTURED')
    if (deposit !== undefined) await notifyOf(news, deposit)
    await sleep(randomInt(3_000))
  }
}
