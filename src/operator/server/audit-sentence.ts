// The entries of the audit trail in words: "ann suspended customer 12 (reason: …)". The words are in the rows of the
// operations, so that entries of any age are worded alike.

import type { AuditRow } from '../../audit/store.ts'
import { subjectKind } from './fields.ts'
import type { AuditedCall, OperatorOperation } from './operation.ts'

type Recorded = Pick<OperatorOperation, 'path' | 'audit' | 'summary'>

/** What is recorded without being an operation of the API. */
const OTHER_ACTIONS: Record<string, Recorded> = {
  signIn: { path: '/sign-in', summary: 'Sign in to the console', audit: 'signed in to the console' },
  signOut: { path: '/sign-in', summary: 'Sign out of the console', audit: 'signed out of the console' },
  holdComment: { path: '/comments/{id}', summary: 'Hold a comment', audit: 'held comment {id}' },
  disableWebhook: { path: '/webhooks/{id}', summary: 'Disable a webhook', audit: 'disabled webhook {id}' },
}

type Worded = Pick<AuditRow, 'actor' | 'action' | 'subject' | 'detail'>

export type AuditWords = {
  sentenceOf(row: Worded): string
  /** A decision in the words of its entry. */
  decisionOf(decision: { kind: string; subjectId: number; action: string; actor: string }): string
  /** null: the action is on no single subject. */
  subjectKindOf(action: string): string | null
  /** All actions on subjects of a kind. */
  actionsOn(kind: string): string[]
  /** The actions among these that change something. */
  changesOf(kind: string): string[]
  isRead(action: string): boolean
}

export function auditWords(operations: readonly OperatorOperation[]): AuditWords {
  const recorded = new Map<string, Recorded>([
    ...Object.entries(OTHER_ACTIONS),
    ...operations.map((operation) => [operation.name, operation] as const),
  ])
  const reads = new Set(operations.filter(({ method }) => method === 'GET').map(({ name }) => name))
  const actionsOn = (kind: string) =>
    [...recorded].filter(([, { path }]) => subjectKind(path) === kind).map(([action]) => action)
  return {
    sentenceOf: (row) => sentence(row, recorded.get(row.action)),
    decisionOf({ kind, subjectId, action, actor }) {
      const name = kind === 'profile' ? 'moderateProfile' : 'moderateComment'
      const detail = JSON.stringify({ body: { action } })
      return sentence({ actor, action: name, subject: String(subjectId), detail }, recorded.get(name))
    },
    subjectKindOf: (action) => subjectKind(recorded.get(action)?.path ?? ''),
    actionsOn,
    isRead: (action) => reads.has(action),
    changesOf: (kind) => actionsOn(kind).filter((action) => !reads.has(action)),
  }
}

function sentence(row: Worded, recorded: Recorded | undefined): string {
  const { actor, action, subject } = row
  const detail = JSON.parse(row.detail) as Detail
  if (detail.refused !== undefined) return `${actor} was ${refusal(subject, detail, recorded)}`
  const reason = detail.body?.reason ?? detail.reason
  const why = typeof reason === 'string' ? ` (reason: ${shortened(reason)})` : ''
  if (recorded?.audit === undefined) return `${actor} called ${action}${subject === '' ? '' : ` on ${subject}`}${why}`
  return `${actor} ${wordsOf(recorded.audit, callOf(recorded.path, subject, detail))}${why}`
}

type Detail = Record<string, unknown> & {
  body?: Record<string, unknown>
  query?: Record<string, unknown>
  changes?: AuditedCall['changes']
}

function refusal(subject: string, { refused, reason }: Detail, recorded: Recorded | undefined): string {
  const summary = recorded?.summary ?? 'A call that no longer exists'
  const wanted = `${summary.charAt(0).toLowerCase()}${summary.slice(1)}${subject === '' ? '' : ` (${subject})`}`
  return `refused to ${wanted}: ${refused} ${reason ?? ''}`.trimEnd()
}

function callOf(path: string, subject: string, detail: Detail): AuditedCall {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = subject.split('/')
  return {
    path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? '?'])),
    body: detail.body ?? {},
    query: detail.query ?? {},
    changes: detail.changes ?? {},
    detail,
  }
}

function wordsOf(audit: NonNullable<OperatorOperation['audit']>, call: AuditedCall): string {
  const template = typeof audit === 'string' ? audit : audit(call)
  return template.replace(/\{(?:(body|query)\.)?(\w+)\}/g, (_, part: 'body' | 'query' | undefined, name: string) =>
    shortened(String(call[part ?? 'path'][name] ?? '?')),
  )
}

const MAX_LENGTH = 200

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH)} …`.toWellFormed()
}
