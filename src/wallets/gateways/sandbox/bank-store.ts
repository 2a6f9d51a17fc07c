// The SQL of the sandbox's bank, which has a database file of its own.

import { DatabaseSync } from 'node:sqlite'
import { payoutStore } from './payout-store.ts'
import { refundStore } from './refund-store.ts'

type PaymentState = 'held' | 'captured' | 'cancelled'
export type BankPayment = {
  reference: string
  token: string
  amount: string
  currency: string
  state: PaymentState
}

export function openBankStore(file: string) {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists payment (reference text primary key, token text not null, amount text not null,
      currency text not null, state text not null check (state in ('held', 'captured', 'cancelled')));
    create table if not exists challenge (reference text primary key, token text not null, amount text not null,
      currency text not null)`)
  const find = database.prepare('select * from payment where reference = ?')
  const insert = database.prepare(
    `insert into payment (reference, token, amount, currency, state) values (?, ?, ?, ?, 'held') on conflict do nothing`,
  )
  const end = database.prepare(`update payment set state = ? where reference = ? and state = 'held'`)
  const findChallenge = database.prepare('select * from challenge where reference = ?')
  const insertChallenge = database.prepare(
    'insert into challenge (reference, token, amount, currency) values (?, ?, ?, ?) on conflict do nothing',
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
    refunds: refundStore(database),
    payouts: payoutStore(database),
    all: () => all.all() as BankPayment[],
    close: () => database.close(),
  }
}
