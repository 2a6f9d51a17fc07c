// What is stored of the customers of a schedule, in the words of the model (model/lines.ts).

import { type Database, reading } from '../../src/platform/database/database.ts'
import { REFUSALS_BY_CODE } from '../../src/wallets/deposits/reasons.ts'

type Row = {
  customer: number
  what: 'account' | 'deposit' | 'refund' | 'part' | 'withdrawal' | 'dispute' | 'card' | 'proposal'
  id: number
  /** At the gateway, or how people name it. */
  name: string
  /** Separated by `|`. */
  words: string
  amount: number
  paid: number
  returned: number
  kept: number
}

const KEY = '(select d.idempotency_key from deposit d where d.id = deposit_id)'

/** Of all customers from one on. Without an order, which would scan what earlier schedules have left. */
const storedRows = reading<{ first: number }, Row>('storedRowsOfSchedule')`
  select customer_id as customer, 'account' as what, id, kind as name, '' as words, balance as amount, 0 as paid, 0 as returned, 0 as kept
    from account where customer_id >= :first
  union all select customer_id, 'deposit', number, id, idempotency_key || '|' || state || '|' || case when state = 'REVIEW' then review else '' end || '|' || coalesce(fault, ''),
    captured, return_refused, 0, 0 from deposit where customer_id >= :first
  union all select customer_id, 'withdrawal', id, reference, state || '|' || approvals || '|' || coalesce(approved_person, '') || '|'
    || coalesce(approved_again_person, '') || '|' || coalesce(hold, ''), amount, 0, 0, 0 from withdrawal where customer_id >= :first
  union all select customer_id, 'part', id, reference, withdrawal_id || '|' || state || '|'
    || coalesce(review, (select 'called' from refund r where r.part_id = withdrawal_part.id and r.state = 'REQUESTED'), '') || '|' || kind || '|'
    || coalesce(${KEY}, 'winnings'), amount, paid, returned, kept_back from withdrawal_part where customer_id >= :first
  union all select customer_id, 'refund', id, reference, state || '|' || coalesce(review, '') || '|'
    || case when needs_approval = 1 and approved_by is null and state = 'REQUESTED' then 'waits'
    when begun_at is not null and state = 'REQUESTED' then 'called' else '' end || '|' || ${KEY} || '|' || debited,
    amount, paid, returned, kept_back from refund where customer_id >= :first and origin <> 'withdrawal'
  union all select customer_id, 'dispute', id, gateway_reference, ${KEY} || '|' || case when ended_at is null then 'open' else 'ended' end,
    charged, debited, house, 0 from dispute where customer_id >= :first
  union all select customer_id, 'card', id, coalesce(first_name, ''), case when removed_at is null then '' else 'removed' end || '|'
    || case when closed_at is null then '' else 'closed' end || '|' || case when account_closed_at is null then '' else 'account closed' end,
    0, 0, 0, 0 from payment_method where customer_id >= :first
  union all select customer_id, 'proposal', id, subject, by_person, 0, 0, 0, 0 from money_proposal where customer_id >= :first`

type Notified = { key: string; outcome: string; name: string; settled: number }

/** A notification's key begins with the first customer of its schedule, and its own. */
export const keysOf = (first: number, customer: number) => `${first}/${customer}/`

const storedNotifications = reading<{ from: string; until: string }, Notified>('storedNotificationsOfSchedule')`
  select notification_key as key, outcome, coalesce(contradiction, '') as name, case when settled_at is null then 0 else 1 end as settled
  from gateway_notification where gateway = 'sandbox' and notification_key >= :from and notification_key < :until`

export type Stored = {
  /** Sorted. */
  readonly lines: readonly string[]
  /** By our reference at the gateway: the model's name of a deposit, refund or part. */
  readonly names: ReadonlyMap<string, string>
  /** By the model's name of a withdrawal, refund or dispute. */
  readonly ids: ReadonlyMap<string, number>
}

/** By customer. */
export async function readStored(database: Database, customers: readonly number[]): Promise<Map<number, Stored>> {
  const first = Math.min(...customers)
  const rows = (await database.query(storedRows, { first })).sort((one, other) => one.id - other.id)
  const notifications = await database.query(storedNotifications, { from: `${first}/`, until: `${first}0` })
  const stored = new Map<number, Stored>()
  for (const customer of customers) {
    const own = rows.filter((row) => row.customer === customer)
    const told = notifications.filter(({ key }) => key.startsWith(keysOf(first, customer)))
    stored.set(customer, toStored(own, told))
  }
  return stored
}

const CARDS = 'ABCD'

/** Their ids are `cardId` of world.ts. */
const cardName = (id: number) => CARDS[id % 10] ?? '?'

function toStored(rows: readonly Row[], notifications: readonly Notified[]): Stored {
  const names = new Map<string, string>()
  const ids = new Map<string, number>()
  const byId = new Map<string, string>()
  const lines = rows
    .filter(({ what }) => what !== 'account' && what !== 'proposal')
    .map((row) => {
      const name = nameOf(row, { rows, byId })
      byId.set(`${row.what} ${row.id}`, name)
      if (['deposit', 'refund', 'part'].includes(row.what)) names.set(row.name, name.replace(/^deposit /, ''))
      ids.set(name, row.id)
      return `${name}: ${wordsOf(row)}`
    })
  const subjects = new Map(
    rows.filter(({ what }) => what === 'deposit').map((row) => [`deposit ${row.name}`, `deposit ${words(row)[0]}`]),
  )
  for (const row of rows.filter(({ what }) => what === 'proposal')) {
    const subject = subjects.get(row.name) ?? byId.get(row.name.replace(/^part .*\//, 'part ')) ?? wordOf(row.name)
    lines.push(`proposal ${subject}: by ${row.words}`)
  }
  const balance = (kind: string) => rows.find(({ what, name }) => what === 'account' && name === kind)?.amount ?? 0
  lines.push(`balance ${balance('customer')}, debt ${Math.abs(balance('debt'))}`)
  for (const { key, outcome, name, settled } of notifications) {
    lines.push(`notification ${key}: ${outcome}${name === '' ? '' : ` ${name}`}${settled === 1 ? ', settled' : ''}`)
  }
  return { lines: lines.sort(), names, ids }
}

/** Of a proposal whose subject is no row. */
function wordOf(subject: string): string {
  const [kind = '', id = ''] = subject.split(' ')
  if (kind === 'card' || kind === 'account-closure') return `${kind} ${cardName(Number(id))}`
  return kind === 'movement' ? `${kind} ${id.split('/')[1]}` : kind
}

const words = (row: Row) => row.words.split('|')

type Named = { readonly rows: readonly Row[]; readonly byId: ReadonlyMap<string, string> }

/** Numbered in the order in which they were made. */
function nameOf(row: Row, { rows, byId }: Named): string {
  const { what, id, name } = row
  const number = rows.filter((one) => one.what === what).indexOf(row)
  if (what === 'deposit') return `deposit ${words(row)[0]}`
  if (what === 'dispute') return `dispute ${name}`
  if (what === 'card') return `card ${cardName(id)}`
  if (what !== 'part') return `${what} ${number}`
  const withdrawal = words(row)[0]
  const parts = rows.filter((one) => one.what === 'part' && words(one)[0] === withdrawal)
  return `${byId.get(`withdrawal ${withdrawal}`)}/${parts.indexOf(row)}`
}

const listed = (entries: readonly (string | undefined)[]) => entries.filter((word) => word !== '').join(', ')
const FAULTS = new Map<string, string>(Object.entries(REFUSALS_BY_CODE).map(([code, fault]) => [fault, code]))

function wordsOf(row: Row): string {
  const { what, amount, paid, returned, kept, name } = row
  const [a = '', b = '', c = '', d = '', e = ''] = words(row)
  const sums = `${amount}: paid ${paid}, returned ${returned}, kept back ${kept}`
  if (what === 'deposit') return listed([b, c, FAULTS.get(d) ?? '', `${amount}`, paid === 1 ? 'not returnable' : ''])
  if (what === 'refund') return `${listed([a, b, c])}, of ${d}, ${sums}, debited ${e}`
  if (what === 'part') return `${listed([b, c])}, ${d} of ${e}, ${sums}`
  if (what === 'dispute') return `of ${a}, charged ${amount}, paid ${paid}, house ${returned}, ${b}`
  if (what === 'card') return listed([name === '' ? 'unknown' : name === HOLDER ? 'customer' : 'another', a, b, c])
  const approved = [c, d].filter((person) => person !== '').join(', ')
  return `${a}, ${amount}, ${b} persons${approved === '' ? '' : ` (${approved})`}${e === '' ? '' : `, hold ${e}`}`
}

/** The first name of every customer. */
export const HOLDER = 'Ann'
