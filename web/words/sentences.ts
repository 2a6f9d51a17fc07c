// Sentences of the service, in the audit trail and in timelines: their codes are replaced by the words of the screens.

import type { AuditEntry, TimelineItem } from '../../src/operator/api-types.ts'
import { DEPOSIT_STATES } from './deposits.ts'
import { DISPUTE_STATES, outcomeText, REFUND_STATES, WITHDRAWAL_STATES } from './money.ts'
import { roleText } from './roles.ts'
import { subjectText } from './subjects.ts'

type Sentence = Pick<AuditEntry, 'sentence' | 'subjectKind' | 'subject'> & { readonly detail: unknown }
type Detail = { readonly body?: Record<string, unknown>; readonly query?: Record<string, unknown> }

/** "mia removed tip 24" */
export function auditSentence({ sentence, subjectKind, subject, detail }: Sentence): string {
  const { body = {}, query = {} } = detail as Detail
  const text = subjectKind === 'comment' ? withTip(sentence, subject) : sentence
  return text
    .replace(` with the role ${body.role}`, ` with the role ${roleText(`${body.role}`)}`)
    .replace(` as ${body.outcome}`, ` as ${outcomeText(`${body.outcome}`)}`)
    .replace(` review queue of ${query.kind}s`, ` review queue of ${subjectText(`${query.kind}`).toLowerCase()}s`)
}

function withTip(text: string, id: string): string {
  return text.replace(` comment ${id}`, ` tip ${id}`)
}

const STATES: Partial<Record<TimelineItem['kind'], Readonly<Record<string, string>>>> = {
  deposit: DEPOSIT_STATES,
  refund: REFUND_STATES,
  dispute: DISPUTE_STATES,
  withdrawal: WITHDRAWAL_STATES,
}

/** "Refund of 5.00 GBP to VISA … 1111, now paid" */
export function timelineText({ kind, text, subject }: Pick<TimelineItem, 'kind' | 'text' | 'subject'>): string {
  if (subject?.kind === 'comment') return withTip(text, subject.id)
  return text.replace(/, now ([a-z ]+)/, (whole, state: string) => {
    const words = STATES[kind]?.[state.replaceAll(' ', '_').toUpperCase()]
    return words === undefined ? whole : `, now ${words.toLowerCase()}`
  })
}

/** The customers whose names were read, in the order of their numbers. */
export function namedCustomers({
  action,
  detail,
}: Pick<AuditEntry, 'action'> & { readonly detail: unknown }): string[] {
  const { query = {} } = detail as Detail
  if (action !== 'readNames') return []
  return `${query.customers ?? ''}`
    .split(',')
    .filter((id) => id !== '')
    .sort((one, other) => Number(one) - Number(other))
}
