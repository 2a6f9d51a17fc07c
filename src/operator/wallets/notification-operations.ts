// Notifications of gateways that were not applied: they contradict our books, or an error of ours is in the way.

import { readNotification } from '../../wallets/notifications/notifications.ts'
import {
  countUnapplied,
  settleNotification,
  type UnappliedRow,
  unappliedAfter,
} from '../../wallets/notifications/store.ts'
import { whyUnapplied } from '../../wallets/notifications/why.ts'
import { CONTRADICTIONS } from '../../wallets/outcome.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { notFound } from '../server/problem.ts'
import { shown } from '../server/shown.ts'
import { proof } from './persons.ts'

const SUBJECTS = ['deposit', 'refund', 'withdrawal', 'dispute'] as const

const content = s.namedObject('GatewayNotificationContent', {
  amount: s.orNull(s.amount('25.00')),
  currency: s.string({ examples: ['GBP'] }),
  gatewayReference: s.string({
    description: 'The gateway’s own reference; or empty.',
    examples: ['8835123456789012'],
  }),
  paymentReference: s.string({
    description: 'The gateway’s own reference of the payment, where that is another; or empty.',
    examples: [''],
  }),
  reason: s.string({ description: 'The reason in words; or empty.', examples: [''] }),
})

const unapplied = s.namedObject('UnappliedNotification', {
  id: s.id('12'),
  receivedAt: s.time(),
  gateway: s.string({ examples: ['adyen'] }),
  event: s.string({ description: 'The name of the event at the gateway.', examples: ['REFUND'] }),
  success: s.boolean({ examples: [true] }),
  reference: s.string({
    description: 'Our reference, as the gateway repeats it.',
    examples: ['0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'],
  }),
  content: s.orNull(content, {
    description: 'What it reports. null: an earlier version did not store it, or it cannot be read.',
  }),
  contradiction: s.orNull(s.oneOf(CONTRADICTIONS), {
    description: 'null: it could not be applied because of an error of ours, and is tried again.',
    examples: ['unknown-refund'],
  }),
  meaning: s.string({ examples: ['A refund failed or was reversed that is not among ours.'] }),
  nextStep: s.string({ description: 'What to do next.', examples: ['Look the payment up at the gateway.'] }),
  subject: s.orNull(
    s.object({ type: s.oneOf(SUBJECTS, { examples: ['refund'] }), id: s.string({ examples: ['5'] }) }),
    { description: 'What is in review, or open, because of it. null: nothing is.', examples: [null] },
  ),
  customerId: s.orNull(s.id('1'), { description: 'null: not known.' }),
  attempts: s.count({ description: 'How often it was tried again.', examples: [0] }),
})

const contentOf = shown(content)
const unappliedOf = shown(unapplied)

export const notificationOperations = [
  operatorOperation({
    name: 'listUnappliedNotifications',
    summary: 'List notifications of gateways that were not applied, oldest first',
    description:
      'They report money that our books do not show as moved, or the other way round; or an error of ours is in the way.',
    route: 'GET /notifications/unapplied',
    role: 'cashier',
    audit: 'listed the notifications that were not applied',
    query: s.allOptional(paging),
    answer: {
      200: s.object({
        ...s.page(unapplied).properties,
        waiting: s.count({ description: 'How many wait.', examples: [1] }),
      }),
    },
    example: { query: { limit: 20 } },
    async handle({ database }, { query: { cursor, limit } }) {
      const [after] = positionOf(cursor, [0]) as [number]
      const page = pageOf(await database.query(unappliedAfter, { after, limit: limit + 1 }), limit, ({ id }) => [id])
      const counts = await database.one(countUnapplied, {})
      return { items: page.rows.map(showUnapplied), cursor: page.cursor, waiting: Number(counts?.waiting ?? 0) }
    },
  }),
  operatorOperation({
    name: 'settleNotification',
    summary: 'Settle a notification that was not applied',
    description:
      'After what it reports was looked up and corrected: it leaves the list, and is not tried again. What is in review because of it is ' +
      'resolved on its own.',
    route: 'POST /notifications/unapplied/{id}/settlement',
    role: 'cashier-lead',
    decides: true,
    audit: 'settled notification {id}',
    body: s.object({ note: proof }),
    answer: { 204: null },
    problems: { 404: 'No such notification waits: it was settled, or applied.' },
    example: { body: { note: 'The gateway has corrected it' } },
    async handle({ database, now }, { path, body: { note }, operator }) {
      const settled = await database.run(settleNotification, { id: path.id, by: operator.name, note, now: now() })
      if (settled === 0) throw notFound('such notification that waits', 'It was settled, or applied.')
    },
  }),
]

function showUnapplied(row: UnappliedRow): s.ValueOf<typeof unapplied> {
  const [type, id] = row.subject?.split(' ') ?? []
  return unappliedOf(row, {
    content: showContent(row.content ?? ''),
    ...whyUnapplied(row.contradiction),
    subject: type === undefined || id === undefined ? null : { type: type as (typeof SUBJECTS)[number], id },
  })
}

function showContent(text: string): s.ValueOf<typeof content> | null {
  const notification = readNotification(text)
  if (notification === null) return null
  const { gatewayReference, paymentReference } = notification
  return contentOf(notification, { gatewayReference, paymentReference })
}
