// The SQL of the sandbox's bank, which has a database file of its own.

import { DatabaseSync } from 'node:sqlite'
import { payoutStore } from './payout-store.ts'

type PaymentState = 'held' | 'captured' | 'cancelled'
export type BankPayment = {
  reference: string
  token: string
  amount: string
  currency: string
  state: PaymentState
}

export type BankRefund = { reference: string; payment: string; amount: string }

export function openBankStore(file: string) {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists payment (reference text primary key, token text not null, amount text not null,
      currency text not null, state text not null check (state in ('held', 'captured', 'cancelled')));
    create table if not exists challenge (reference text primary key, token text not null, amount text not null,
      currency text not null);
    create table if not exists refund (reference text primary key, payment text not null, amount text not null);
    create index if not exists refund_payment on refund (payment)`)
  const find = database.prepare('select * from payment where reference = ?')
  const insert = database.prepare(
    `insert into payment (reference, token, amount, currency, state) values (?, ?, ?, ?, 'held') on conflict do nothing`,
  )
  const end = database.prepare(`update payment set state = ? where reference = ? and state = 'held'`)
  const findChallenge = database.prepare('select * from challenge where reference = ?')
  const insertChallenge = database.prepare(
    'insert into challenge (reference, token, amount, currency) values (?, ?, ?, ?) on conflict do nothing',
  )
  const refunds = database.prepare('select * from refund where payment = ? order by reference')
  // One statement, so that two at the same time return no more than was captured.
  const insertRefund = database.prepare(
    `insert into refund (reference, payment, amount)
     select :reference, :payment, :amount from payment p where p.reference = :payment and cast(p.amount as integer) >=
       cast(:amount as integer) + (select coalesce(sum(cast(r.amount as integer)), 0) from refund r where r.payment = :payment)
     on conflict do nothing`,
  )
  const all = database.prepare('select * from payment order by reference')
  return {
    find: (reference: string) => find.get(reference) as BankPayment | undefined,
    /** A reference that is known stays as it is. */
    hold({ reference, token, amount, currency }: Omit<BankPayment, 'state'>): void {
      insert.run(reference, token, amount, currency)
    },
    findChallenge: (reference: string) => findChallenge.get(reference) as Omit<BankPayment, 'state'> | undefined,
    challenge({ reference, token, amount, currency }: Omit<BankPayment, 'state'>): void {
      insertChallenge.run(reference, token, amount, currency)
    },
    /** Only what is still held changes. */
    endHold(reference: string, state: 'captured' | 'cancelled'): void {
      end.run(state, reference)
    },
    refundsOf: (payment: string) => refunds.all(payment) as BankRefund[],
    /** false: it is more than is left of the payment. */
    refund({ reference, payment, amount }: BankRefund): boolean {
      return insertRefund.run({ reference, payment, amount }).changes > 0
    },
    payouts: payoutStore(database),
    all: () => all.all() as BankPayment[],
    close: () => database.close(),
  }
}
