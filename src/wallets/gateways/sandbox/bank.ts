// The sandbox's bank stores every payment in a file of its own, because a real gateway outlives the service. A card's
// token says how the bank behaves; docs/deposits.md lists the tokens.

import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Authorisation, AuthorisationRequest, Cancel, Capture, RefusalFault } from '../gateway.ts'

const REFUSALS: Readonly<Record<string, RefusalFault>> = {
  'sandbox:decline': 'authorisationFailed',
  'sandbox:insufficient-funds': 'insufficientFunds',
  'sandbox:invalid-card': 'cardNumberInvalid',
  'sandbox:expired': 'expiryInvalid',
  'sandbox:wrong-cv2': 'cv2Invalid',
}

type Behaviour = { waitMs: number; holds: boolean; answers: 'yes' | 'never' | 'error' }

const APPROVES: Behaviour = { waitMs: 0, holds: true, answers: 'yes' }
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'sandbox:approve': APPROVES,
  'sandbox:capture-refused': APPROVES,
  'sandbox:timeout-before': { ...APPROVES, holds: false, answers: 'never' },
  'sandbox:timeout-after': { ...APPROVES, answers: 'never' },
  'sandbox:error-before': { ...APPROVES, holds: false, answers: 'error' },
  'sandbox:error-after': { ...APPROVES, answers: 'error' },
}

type BankRequest = Pick<AuthorisationRequest, 'reference' | 'token' | 'amount' | 'currency'>
type BankPayment = { reference: string; token: string; amount: string; currency: string; state: string }

/** A bank that never answers returns a promise that never settles. */
export type SandboxBank = {
  authorise(request: BankRequest): Promise<Authorisation>
  capture(reference: string): Capture
  cancel(reference: string): Cancel
  payments(): BankPayment[]
  close(): void
}

export function openSandboxBank(file: string): SandboxBank {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists payment (reference text primary key, token text not null, amount text not null,
      currency text not null, state text not null check (state in ('held', 'captured', 'cancelled')))`)
  const find = database.prepare('select * from payment where reference = ?')
  const hold = database.prepare(
    `insert into payment (reference, token, amount, currency, state) values (?, ?, ?, ?, 'held') on conflict do nothing`,
  )
  const move = database.prepare('update payment set state = ? where reference = ? and state = ?')
  const all = database.prepare('select * from payment order by reference')
  const stateOf = (reference: string) => (find.get(reference) as BankPayment | undefined)?.state
  let closed = false

  return {
    async authorise({ reference, token, amount, currency }) {
      const fault = REFUSALS[token]
      if (fault !== undefined) return { outcome: 'refused', fault, reason: token }
      const behaviour = behaviourOf(token)
      if (behaviour === undefined) return { outcome: 'refused', fault: 'methodInvalid', reason: 'no such token' }
      if (behaviour.waitMs > 0) await pause(behaviour.waitMs)
      if (behaviour.holds && !closed) hold.run(reference, token, `${amount}`, currency)
      if (behaviour.answers === 'never') return new Promise(() => {})
      if (behaviour.answers === 'error') return { outcome: 'unknown', reason: 'status 500' }
      if (stateOf(reference) === 'cancelled') {
        return { outcome: 'refused', fault: 'authorisationFailed', reason: 'cancelled' }
      }
      return { outcome: 'approved', gatewayReference: `sandbox-${reference}` }
    },
    capture(reference) {
      const payment = find.get(reference) as BankPayment | undefined
      if (payment?.token === 'sandbox:capture-refused') return { outcome: 'refused', reason: 'by its token' }
      move.run('captured', reference, 'held')
      const state = stateOf(reference)
      return { outcome: state === 'captured' ? 'captured' : 'refused', reason: state ?? 'not found' }
    },
    cancel(reference) {
      move.run('cancelled', reference, 'held')
      const state = stateOf(reference)
      if (state === undefined) return { outcome: 'notFound', reason: 'not found' }
      return { outcome: state === 'captured' ? 'captured' : 'cancelled', reason: state }
    },
    payments: () => all.all() as BankPayment[],
    close() {
      closed = true
      database.close()
    },
  }
}

function behaviourOf(token: string): Behaviour | undefined {
  const slow = /^sandbox:slow-([0-9]{1,6})$/.exec(token)
  return slow === null ? BEHAVIOURS[token] : { ...APPROVES, waitMs: Number(slow[1]) }
}
