import type { DatabaseSync } from 'node:sqlite'

/** `calls`: how often the bank was called for it. refused: nothing was returned. */
export type BankRefund = {
  reference: string
  payment: string
  amount: string
  state: 'open' | 'done' | 'refused'
  calls: number
}

const REFUND = 'reference, payment, amount, state, asked as calls'

/** The SQL of the bank's refunds, in the database of its payments. */
export function refundStore(database: DatabaseSync) {
  database.exec(`create table if not exists refund (reference text primary key, payment text not null, amount text not null,
      state text not null default 'done', asked integer not null default 1);
    create index if not exists refund_payment on refund (payment)`)
  addColumns(database)
  const find = database.prepare(`select ${REFUND} from refund where reference = ?`)
  // One statement, so that two at the same time return no more than was captured.
  const insert = database.prepare(
    `insert into refund (reference, payment, amount, state, asked)
     select :reference, :payment, :amount, :state, 0 from payment p where p.reference = :payment
       and cast(p.amount as integer) >= cast(:amount as integer) + (select coalesce(sum(cast(r.amount as integer)), 0)
         from refund r where r.payment = :payment and r.state <> 'refused')
     on conflict do nothing`,
  )
  const count = database.prepare(`update refund set asked = asked + 1 where reference = ? returning ${REFUND}`)
  const end = database.prepare(`update refund set state = ? where reference = ? and state = 'open'`)
  const done = database.prepare(`select ${REFUND} from refund where payment = ? and state = 'done' order by reference`)
  return {
    find: (reference: string) => find.get(reference) as BankRefund | undefined,
    /** The refund as it was first requested, with the count of this call. undefined: it is more than is left of the payment. */
    request({ reference, payment, amount, state }: Omit<BankRefund, 'calls'>): BankRefund | undefined {
      insert.run({ reference, payment, amount, state })
      return count.get(reference) as BankRefund | undefined
    },
    /** Only what is open changes. */
    end(reference: string, state: 'done' | 'refused'): void {
      end.run(state, reference)
    },
    doneOf: (payment: string) => done.all(payment) as BankRefund[],
  }
}

/** Files of earlier versions lack them; all refunds in these were done. Other processes may open the file at the same time. */
function addColumns(database: DatabaseSync): void {
  database.exec('begin immediate')
  const names = database.prepare(`select name from pragma_table_info('refund')`).all()
  if (!names.some(({ name }) => name === 'state')) {
    database.exec(`alter table refund add column state text not null default 'done';
      alter table refund add column asked integer not null default 1`)
  }
  database.exec('commit')
}
