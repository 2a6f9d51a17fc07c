// Notifications of gateways that were not applied: they contradict our books, or an error of ours is in the way.

import { readNotification } from '../../wallets/notifications/notifications.ts'
import * as sql from '../../wallets/notifications/store.ts'
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
  currency: s.string('GBP'),
  gatewayReference: s.string('8835123456789012', 'The gateway’s own reference; or empty.'),
  paymentReference: s.string('', 'The gateway’s own reference of the payment, where that is another; or empty.'),
  reason: s.string('', 'The reason in words; or empty.'),
})

const unapplied = s.namedObject('UnappliedNotification', {
  id: s.id('12'),
  receivedAt: s.time(),
  gateway: s.string('adyen'),
  event: s.string('REFUND', 'The name of the event at the gateway.'),
  success: s.boolean(true),
  reference: s.string('0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60', 'Our reference, as the gateway repeats it.'),
  content: s.orNull(content, 'What it reports. null: an earlier version did not store it, or it cannot be read.'),
  contradiction: s.orNull(
    s.oneOf(CONTRADICTIONS),
    'null: it could not be applied because of an error of ours, and is tried again.',
    'unknown-refund',
  ),
  meaning: s.string('A refund failed or was reversed that is not among ours.'),
  nextStep: s.string('Look the payment up at the gateway.', 'What to do next.'),
  subject: s.orNull(
    s.object({ type: s.oneOf(SUBJECTS, 'refund'), id: s.string('5') }),
    'What is in review, or open, because of it. null: nothing is.',
    null,
  ),
  customerId: s.orNull(s.id('1'), 'null: not known.'),
  attempts: s.count(0, 'How often it was tried again.'),
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
        waiting: s.count(1, 'How many wait.'),
      }),
    },
    example: { query: { limit: 20 } },
    async handle({ database }, { query: { cursor, limit } }) {
      const [after] = positionOf(cursor, [0]) as [number]
      const page = pageOf(await database.query(sql.unappliedAfter, { after, limit: limit + 1 }), limit, ({ id }) => [
        id,
      ])
      const counts = await database.one(sql.countUnapplied, {})
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
      const settled = await database.run(sql.settleNotification, { id: path.id, by: operator.name, note, now: now() })
      if (settled === 0) throw notFound('such notification that waits', 'It was settled, or applied.')
    },
  }),
]

function showUnapplied(row: sql.UnappliedRow): s.ValueOf<typeof unapplied> {
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
