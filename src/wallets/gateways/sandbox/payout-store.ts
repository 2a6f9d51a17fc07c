import type { DatabaseSync } from 'node:sqlite'

/** `calls`: how often the bank was called for it. Files of earlier versions may have other states: nothing was paid in these. */
export type BankPayout = {
  reference: string
  token: string
  amount: string
  currency: string
  state: 'open' | 'paid' | 'refused' | 'returned'
  calls: number
}

const PAYOUT = 'reference, token, amount, currency, state, asked as calls'

/** The SQL of the bank's payouts, in the database of its payments. */
export function payoutStore(database: DatabaseSync) {
  database.exec(`create table if not exists payout (reference text primary key, token text not null, amount text not null,
    currency text not null, state text not null default 'open', asked integer not null default 0)`)
  const find = database.prepare(`select ${PAYOUT} from payout where reference = ?`)
  const insert = database.prepare(
    'insert into payout (reference, token, amount, currency) values (?, ?, ?, ?) on conflict do nothing',
  )
  const count = database.prepare(`update payout set asked = asked + 1 where reference = ? returning ${PAYOUT}`)
  const end = database.prepare(`update payout set state = ? where reference = ? and state = 'open'`)
  const all = database.prepare(`select ${PAYOUT} from payout order by reference`)
  return {
    find: (reference: string) => find.get(reference) as BankPayout | undefined,
    /** The payout as it was first requested, with the count of this call. */
    request({ reference, token, amount, currency }: Omit<BankPayout, 'state' | 'calls'>): BankPayout {
      insert.run(reference, token, amount, currency)
      return count.get(reference) as BankPayout
    },
    /** Only what is open changes. */
    end(reference: string, state: 'paid' | 'refused' | 'returned'): void {
      end.run(state, reference)
    },
    all: () => all.all() as BankPayout[],
  }
}
