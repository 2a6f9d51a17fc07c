// What the sandbox's bank reports when an operator lets it, so that every report of a gateway can be tried.

import type { Database } from '../../platform/database/database.ts'
import { parseMoney } from '../../platform/runtime/money.ts'
import { type DepositRow, depositById } from '../../wallets/deposits/store.ts'
import { DISPUTE_EVENT_NAMES } from '../../wallets/disputes/events.ts'
import { disputesOfDeposit } from '../../wallets/disputes/store.ts'
import {
  type BankReport,
  OTHER_SANDBOX_EVENTS,
  sandboxNotification,
} from '../../wallets/gateways/sandbox/notifications.ts'
import { applyNotification } from '../../wallets/notifications/notifications.ts'
import { outcomeOf, STORED_OUTCOMES } from '../../wallets/notifications/store.ts'
import { CONTRADICTIONS } from '../../wallets/outcome.ts'
import { refundById, refundsOfDeposit } from '../../wallets/refunds/store.ts'
import { partById } from '../../wallets/withdrawals/part-store.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { conflict, notFound, notValid } from '../server/problem.ts'
import { dispute, showDisputes } from './dispute-view.ts'

const PAYMENT_ID = '0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'

const body = s.object(
  { event: s.oneOf([...DISPUTE_EVENT_NAMES, ...OTHER_SANDBOX_EVENTS], 'CHARGEBACK') },
  {
    paymentId: s.stringOf({ pattern: '^[0-9A-Za-z-]{1,40}$', examples: [PAYMENT_ID] }, undefined, 'The deposit.'),
    refundId: s.id(
      '5',
      'The refund that it is about. Without it: the last that was sent, or one that was made at the bank.',
    ),
    partId: s.id('9', 'The part of a withdrawal that it is about, instead of `paymentId`.'),
    success: s.withDefault(s.boolean(true), true),
    amount: s.money('25.00', 'Without it: that of the part, of the refund, or of the deposit.'),
    currency: s.stringOf({ pattern: '^[A-Z]{3}$' }, 'GBP', 'Without it: ours.'),
    gatewayReference: s.reference(
      'sandbox-back-office-2',
      'The bank’s own. With another one, a dispute, or a refund made at the bank, is another one.',
    ),
    endsDispute: s.withDefault(s.boolean(false), false),
  },
)
type Body = s.ValueOf<typeof body>

const answer = s.namedObject('SandboxReport', {
  outcome: s.oneOf(STORED_OUTCOMES, 'applied', 'What became of it, the first time.'),
  contradiction: s.orNull(s.oneOf(CONTRADICTIONS), undefined, null),
  ...s.page(dispute).properties,
})

export const sandboxOperations = [
  operatorOperation({
    name: 'sendSandboxNotification',
    summary: 'Let the sandbox’s bank report something',
    description:
      'By the names of Adyen’s notifications; only about what was stored with the sandbox gateway. Reported twice, it is applied once. The ' +
      'items are the disputes of the deposit.',
    route: 'POST /sandbox/disputes',
    role: 'admin',
    audit: ({ body: { partId } }) =>
      `let the sandbox’s bank report {body.event} of ${partId === undefined ? 'deposit {body.paymentId}' : 'part {body.partId}'}`,
    body,
    answer: { 200: answer },
    problems: {
      404: 'There is no such deposit, refund or part.',
      409: 'It was not made with the sandbox gateway.',
      422: 'Neither `paymentId` nor `partId` is sent.',
    },
    example: { body: { paymentId: PAYMENT_ID, event: 'CHARGEBACK' } },
    async handle(context, { body, operator }) {
      const { database } = context
      const { depositId, report } = await reportOf(database, body)
      const notification = sandboxNotification(report, context.now())
      await applyNotification(context, 'sandbox', notification)
      const stored = await database.one(outcomeOf, { gateway: 'sandbox', key: notification.key })
      const rows = depositId === null ? [] : await database.query(disputesOfDeposit, { depositId })
      const { outcome = 'failed', contradiction = null } = stored ?? {}
      return { outcome, contradiction, items: await showDisputes(database, rows, operator), cursor: null }
    },
  }),
]

type Reported = { readonly depositId: string | null; readonly report: BankReport }

async function reportOf(database: Database, body: Body): Promise<Reported> {
  const { partId, paymentId } = body
  if (partId !== undefined) return ofPart(database, Number(partId), body)
  if (paymentId === undefined) throw notValid([{ pointer: '/paymentId', detail: 'is required without partId' }])
  const deposit = await database.one(depositById, { id: paymentId })
  if (deposit === undefined) throw notFound('such deposit')
  refuseOther(deposit)
  const refund = await refundOf(database, deposit, body)
  if (refund !== undefined) return { depositId: deposit.id, report: toReport(refund, body) }
  return { depositId: deposit.id, report: toReport({ ...deposit, reference: deposit.id }, body) }
}

async function ofPart(database: Database, id: number, body: Body): Promise<Reported> {
  const part = await database.one(partById, { id })
  if (part === undefined) throw notFound('such part of a withdrawal')
  refuseOther(part)
  const { deposit_id: depositId } = part
  const deposit = depositId === null ? undefined : await database.one(depositById, { id: depositId })
  const report = toReport(part, body)
  return { depositId, report: { ...report, paymentReference: deposit?.gateway_reference ?? '' } }
}

function refuseOther({ gateway }: { readonly gateway: string }): void {
  if (gateway !== 'sandbox') throw conflict('It was not made with the sandbox gateway.')
}

/** The one that is named; else the last that was sent, unless the bank's own reference names another. */
async function refundOf(
  database: Database,
  { id: depositId }: DepositRow,
  { event, refundId, gatewayReference }: Body,
) {
  if (refundId !== undefined) {
    const refund = await database.one(refundById, { id: Number(refundId) })
    if (refund?.deposit_id !== depositId) throw notFound('such refund of this deposit')
    return refund
  }
  if (!event.startsWith('REFUND') || gatewayReference !== undefined) return undefined
  const refunds = await database.query(refundsOfDeposit, { depositId })
  return refunds.findLast(({ origin, begun_at }) => origin === 'operator' && begun_at !== null)
}

type About = { readonly reference: string; readonly amount: string; readonly currency: string }

function toReport(about: About, { event, success, endsDispute, gatewayReference, ...body }: Body): BankReport {
  return {
    event,
    success,
    reference: about.reference,
    amount: body.amount === undefined ? BigInt(about.amount) : (parseMoney(body.amount) as bigint),
    currency: body.currency ?? about.currency,
    endsDispute,
    ...(gatewayReference === undefined ? {} : { gatewayReference }),
  }
}
