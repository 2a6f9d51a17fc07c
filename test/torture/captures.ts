// What the bank says about captures: that one failed, and that it was made after all; that a payment was taken although it was cancelled.

import { randomInt } from 'node:crypto'
import type { Deposit } from './invariants.ts'
import type { PaymentPicker } from './payments.ts'
import { sleep } from './processes.ts'
import { type Told, tell } from './told.ts'

export type CaptureNews = {
  readonly told: Told
  /** The payments about which it was told. */
  readonly payments: Set<string>
  readonly pick: PaymentPicker
}

async function tellOf({ told, payments }: CaptureNews, deposit: Deposit): Promise<void> {
  const { paymentId, customerId, state } = deposit
  payments.add(paymentId)
  const about = { name: paymentId, customerId }
  if (state !== 'CAPTURED') return void (await tell(told, about, { paymentId, event: 'CAPTURE' }))
  await tell(told, about, { paymentId, event: 'CAPTURE_FAILED' })
  await sleep(randomInt(2_000))
  if (randomInt(2) === 0) await tell(told, about, { paymentId, event: 'CAPTURE' })
}

export async function captureNewsUntil(news: CaptureNews, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const deposit = await news.pick(randomInt(3) === 0 ? '&state=VOIDED' : '&state=CAPTURED')
    if (deposit !== undefined) await tellOf(news, deposit)
    await sleep(randomInt(3_000))
  }
}
