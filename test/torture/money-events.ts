// Every movement, and every change of a refund and a withdrawal, has exactly one event.

import type { Event } from './events.ts'
import type { Refund } from './refunds.ts'
import type { Withdrawal } from './withdrawal-decisions.ts'

type Evidence = {
  readonly log: readonly Event[]
  readonly movements: Iterable<string>
  readonly refunds: readonly Refund[]
  readonly withdrawals: readonly Withdrawal[]
}

export function moneyEventViolations({ log, movements, refunds, withdrawals }: Evidence): string[] {
  const counts = new Map<string, number>()
  for (const { type, data } of log) {
    const about = type.startsWith('movement.')
      ? `movement ${data.reference}`
      : `${type} ${data.withdrawalId ?? data.refundId}`
    counts.set(about, (counts.get(about) ?? 0) + 1)
  }
  const found: string[] = []
  const expect = (name: string, event: string, times: number) => {
    const logged = counts.get(event) ?? 0
    if (logged !== times) found.push(`${name}: ${logged} events ${event}, not ${times}`)
  }
  for (const reference of movements) expect(reference, `movement ${reference}`, 1)
  for (const { id, state, requestedBy } of refunds) {
    if (requestedBy !== null) expect(`refund ${id}`, `refund.requested ${id}`, 1)
    expect(`refund ${id}`, `refund.failed ${id}`, state === 'FAILED' ? 1 : 0)
    if (state === 'DONE') expect(`refund ${id}`, `refund.done ${id}`, 1)
  }
  for (const { id, state } of withdrawals) {
    expect(`withdrawal ${id}`, `withdrawal.requested ${id}`, 1)
    for (const end of ['PAID', 'RETURNED', 'REFUSED'])
      expect(`withdrawal ${id}`, `withdrawal.${end.toLowerCase()} ${id}`, state === end ? 1 : 0)
    if (state === 'PAID' || state === 'RETURNED') expect(`withdrawal ${id}`, `withdrawal.sending ${id}`, 1)
  }
  return found
}
