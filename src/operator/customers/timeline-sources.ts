import { type AuditRow, changesOfSubject } from '../../audit/store.ts'
import type { Database, Statement } from '../../platform/database/database.ts'
import { textListOf } from '../../platform/database/row-list-store.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import type { CardRow } from '../../wallets/cards/columns-store.ts'
import { challengesOfCustomerBefore, depositsOfCustomerBefore } from '../../wallets/deposits/list-store.ts'
import { whyOfDeposit } from '../../wallets/deposits/why.ts'
import { disputesOfCustomerBefore } from '../../wallets/disputes/store.ts'
import { safeguardChangesBefore } from '../../wallets/limits/safeguard-store.ts'
import { type SafeguardChange, safeguardText } from '../../wallets/limits/safeguards.ts'
import { refundsOfCustomerBefore } from '../../wallets/refunds/store.ts'
import { withdrawalsOfCustomerBefore } from '../../wallets/withdrawals/store.ts'
import { timedEvent } from '../sportsbook/timed-event.ts'
import type { Entry, Source, TimedItem } from './timeline.ts'
import { decisionsAboutBefore, sessionStartsBefore, tipsOfProfileBefore } from './timeline-store.ts'

/** Higher than every id and every time. */
const ABOVE_ALL = Number.MAX_SAFE_INTEGER

export function registrationSource(createdAt: number): Source {
  const item = { at: createdAt, kind: 'registration', text: 'Registered', subject: null } as const
  return { start: [2], read: async ([position = 0]) => (position > 1 ? [{ item, position: [1] }] : []) }
}

export const sessionSource = ofCustomer(sessionStartsBefore, ({ created_at, sessions }) => {
  const text = sessions === 1 ? 'Session started' : `${sessions} sessions started`
  return entry(created_at, { at: created_at, kind: 'session', text, subject: null })
})

export const depositSource = ofCustomer(depositsOfCustomerBefore, (row) => {
  const { number, id, created_at } = row
  const why = whyOfDeposit(row)
  const item = { at: created_at, kind: 'deposit', subject: { kind: 'deposit', id } } as const
  const text = `Deposit of ${sumAndState(row, 'with')}`
  if (why === null) return entry(number, { ...item, text })
  return entry(number, { ...item, text: `${text}: ${why.title.toLowerCase()}`, why })
})

export const withdrawalSource = ofCustomer(withdrawalsOfCustomerBefore, ({ id, created_at, ...row }) => {
  const subject = { kind: 'withdrawal', id: `${id}` } as const
  return entry(id, { at: created_at, kind: 'withdrawal', text: `Withdrawal of ${sumAndState(row, 'to')}`, subject })
})

export const refundSource = ofCustomer(refundsOfCustomerBefore, ({ id, deposit_id, created_at, ...row }) => {
  const subject = { kind: 'deposit', id: deposit_id } as const
  return entry(id, { at: created_at, kind: 'refund', text: `Refund of ${sumAndState(row, 'to')}`, subject })
})

export const disputeSource = ofCustomer(disputesOfCustomerBefore, ({ id, deposit_id, created_at, ...row }) => {
  const subject = { kind: 'deposit', id: deposit_id } as const
  return entry(id, { at: created_at, kind: 'dispute', text: `Dispute of ${sum(row)}, ${stateOf(row)}`, subject })
})

/** The issuer's challenges (3-D Secure); the deposits are entries of their own. */
export const challengeSource = ofCustomer(challengesOfCustomerBefore, ({ number, id, at, ...row }) => {
  const text = `The card’s issuer requested a confirmation of the deposit of ${sum(row)}`
  return entry(number, { at, kind: 'deposit', text, subject: { kind: 'deposit', id } })
})

export const safeguardSource = ofCustomer(safeguardChangesBefore, ({ id, kind, at, data }) => {
  const text = safeguardText({ kind, data: JSON.parse(data) } as SafeguardChange)
  return entry(id, { at, kind: kind === 'limit.changed' ? 'limit' : 'exclusion', text, subject: null })
})

type NewestFirst<Row> = Statement<{ customerId: number; before: number; limit: number }, Row>

function ofCustomer<Row>(list: NewestFirst<Row>, toEntry: (row: Row) => Entry) {
  return (database: Database, customerId: number): Source =>
    byNumber(async (before, limit) => (await database.query(list, { customerId, before, limit })).map(toEntry))
}

type Sum = { amount: string; currency: string }

function sum({ amount, currency }: Sum): string {
  return `${formatMoney(BigInt(amount))} ${currency}`
}

function stateOf({ state }: { state: string }): string {
  return `now ${state.toLowerCase().replaceAll('_', ' ')}`
}

type MaybeCard = { [Column in keyof CardRow]: CardRow[Column] | null }

/** A payment outside has no card. */
function sumAndState(row: Sum & MaybeCard & { state: string }, word: 'with' | 'to'): string {
  const card = row.last_four === null ? 'a bank account' : `${row.scheme} … ${row.last_four}`
  return `${sum(row)} ${word} ${card}, ${stateOf(row)}`
}

export function tipSource(database: Database, profileId: number): Source {
  return byNumber(async (before, limit) => {
    const rows = await database.query(tipsOfProfileBefore, { profileId, before, until: ABOVE_ALL, limit })
    return rows.map(({ id, at, outcome, ...event }) => {
      const text = `Tip on ${outcome}, ${timedEvent(event)}`
      return entry(id, { at, kind: 'tip', text, subject: { kind: 'comment', id: String(id) } })
    })
  })
}

type Decided = { kind: string; subjectId: number; action: string; actor: string }

export function decisionSource(database: Database, profileId: number, wordsFor: (decided: Decided) => string): Source {
  return byNumber(async (before, limit) => {
    const rows = await database.query(decisionsAboutBefore, { profileId, before, limit })
    return rows.map(({ id, kind, subject_id, action, actor, at }) => {
      const text = wordsFor({ kind, subjectId: subject_id, action, actor })
      const subject = { kind: kind === 'profile' ? 'profile' : 'comment', id: String(subject_id) } as const
      return entry(id, { at, kind: 'decision', text, subject })
    })
  })
}

/** `actions`: the operations that change a customer. */
export function changeSource(
  database: Database,
  customerId: number,
  { actions, sentenceOf }: { actions: readonly string[]; sentenceOf: (row: AuditRow) => string },
): Source {
  const fixed = { subjectId: String(customerId), actions: textListOf(actions), from: 0 }
  return {
    start: [ABOVE_ALL, 0],
    async read([beforeAt = 0, beforeId = 0], limit) {
      const rows = await database.query(changesOfSubject, { ...fixed, beforeAt, beforeId, limit })
      return rows.map((row) => ({
        item: { at: row.at, kind: 'change', text: sentenceOf(row), subject: null },
        position: [row.at, row.id],
      }))
    },
  }
}

function byNumber(read: (before: number, limit: number) => Promise<Entry[]>): Source {
  return { start: [ABOVE_ALL], read: ([before = 0], limit) => read(before, limit) }
}

function entry(number: number, item: TimedItem): Entry {
  return { item, position: [number] }
}
