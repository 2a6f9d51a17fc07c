// Every movement, and every change of a refund and a withdrawal, has exactly one event.

import type { Event } from './events.ts'
import type { Refund } from './refunds.ts'
import { units } from './statements.ts'
import type { Withdrawal } from './withdrawal-decisions.ts'

type Evidence = {
  readonly log: readonly Event[]
  readonly movements: Iterable<string>
  readonly refunds: readonly Refund[]
  readonly withdrawals: readonly Withdrawal[]
  /** What changed again after its end, because the bank or two persons said so: each change has an event. */
  readonly changedAgain: { readonly refunds: ReadonlySet<string>; readonly parts: ReadonlyMap<string, unknown> }
}

export function moneyEventViolations({ log, movements, refunds, withdrawals, changedAgain }: Evidence): string[] {
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
  for (const { id, state, origin } of refunds) {
    if (origin === 'withdrawal') continue
    const name = `refund ${id}`
    if (origin === 'operator') expect(name, `refund.requested ${id}`, 1)
    const last = `refund.${state === 'DONE' ? 'done' : 'failed'} ${id}`
    if (changedAgain.refunds.has(id) || origin === 'gateway') atLeastOne(name, last)
    else {
      expect(name, `refund.done ${id}`, state === 'DONE' ? 1 : 0)
      expect(name, `refund.failed ${id}`, state === 'FAILED' ? 1 : 0)
    }
  }
  for (const { id, state, parts } of withdrawals) {
    const name = `withdrawal ${id}`
    expect(name, `withdrawal.requested ${id}`, 1)
    if (parts.some((part) => changedAgain.parts.has(part.id))) {
      atLeastOne(name, `withdrawal.${state.toLowerCase()} ${id}`)
      continue
    }
    for (const end of ['PAID', 'RETURNED', 'REFUSED'])
      expect(name, `withdrawal.${end.toLowerCase()} ${id}`, state === end ? 1 : 0)
    const isSent = parts.some(({ kind, paid }) => kind !== 'outside' && units(paid) > 0n)
    if (isSent) expect(name, `withdrawal.sending ${id}`, 1)
  }
  return found

  function atLeastOne(name: string, event: string): void {
    if (!counts.has(event)) found.push(`${name}: no event ${event}`)
  }
}
