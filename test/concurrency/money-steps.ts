// What clients, operators and the bank do on the paths of money. Each may be repeated: it is done once.

import { expect } from 'vitest'
import type { Notice } from '../harness/crash-orders.ts'
import { call, callOperator, OPERATOR_TOKEN } from '../harness/service.ts'
import type { MoneyPath, Step } from './money-paths.ts'

const [SMALL, MUCH, ALL] = ['4.00', '6.00', '20.00']

/** A process of the service. `secondToken`: of the second person. */
export type Target = {
  readonly url: string
  readonly operatorUrl: string
  readonly secondToken: string
  notify(notice: Notice): Promise<unknown>
}

/** `withdrawal`, `refund`: their ids, once they were answered. */
export type Customer = {
  readonly id: number
  readonly path: MoneyPath
  readonly ticket: string
  readonly paymentId: string
  withdrawal?: string
  refund?: string
}

export const optionsOf = (ticket: string) => ({
  key: 'crash-key',
  secret: 'crash-secret',
  ticket,
  accept: 'application/json',
})

const keyOf = ({ id }: Customer) => ({ 'idempotency-key': `of-${id}` })

type Call = readonly [path: string, body?: object]

const DECIDED = { note: 'looked up' }
const REFUSED = { reason: 'no' }

const withdrawalOf = ({ withdrawal }: Customer) => `/withdrawals/${withdrawal}`
const refundOf = ({ refund }: Customer) => `/refunds/${refund}`
const customerOf = ({ id }: Customer) => `/customers/${id}`
const cardOf = (customer: Customer) => `${customerOf(customer)}/payment-methods/${customer.id}`

/** What operators post. Of "… again", which a second person does, the name is without it. */
const POSTED: Readonly<Record<string, (customer: Customer) => Call>> = {
  'approve the refund': (customer) => [`${refundOf(customer)}/approval`],
  'refuse the refund': (customer) => [`${refundOf(customer)}/refusal`, REFUSED],
  'resolve the refund': (customer) => [`${refundOf(customer)}/resolution`, { ...DECIDED, outcome: 'done' }],
  approve: (customer) => [`${withdrawalOf(customer)}/approval`],
  refuse: (customer) => [`${withdrawalOf(customer)}/refusal`, REFUSED],
  resolve: (customer) => [`${withdrawalOf(customer)}/resolution`, { ...DECIDED, outcome: 'paid' }],
  'resolve the deposit': ({ paymentId }) => [`/deposits/${paymentId}/resolution`, { ...DECIDED, outcome: 'captured' }],
  'close the card': (customer) => [`${cardOf(customer)}/closure`, { reason: 'reported stolen' }],
  'close the account': (customer) => [`${cardOf(customer)}/account-closure`, DECIDED],
  'pay outside': (customer) => [
    `${customerOf(customer)}/outside-payments`,
    { ...DECIDED, amount: SMALL, bankReference: `FT-${customer.id}` },
  ],
  'write off': (customer) => [`${customerOf(customer)}/debt-write-offs`, { ...DECIDED, amount: MUCH }],
}

export async function perform(target: Target, customer: Customer, step: Step): Promise<void> {
  const isSecond = step.endsWith(' again') || step === 'approve the refund'
  const token = isSecond ? target.secondToken : OPERATOR_TOKEN
  const operate = (path: string, body?: object, method = 'POST') =>
    callOperator(target.operatorUrl, method, `/operator/v1${path}`, { body, token, headers: keyOf(customer) })
  const refund = async (amount: string | undefined) => {
    const path = `/deposits/${customer.paymentId}/refunds`
    customer.refund = (await operate(path, { amount, reason: 'asked for it' })).body?.id
  }
  const [what = ''] = step.split(' again')
  const posted = POSTED[what]
  if (posted !== undefined) await operate(...posted(customer))
  else if (step === 'refund') await refund(SMALL)
  else if (step === 'refund much') await refund(MUCH)
  else if (step === 'withdraw') await withdraw(target, customer, SMALL)
  else if (step === 'withdraw much') await withdraw(target, customer, MUCH)
  else if (step === 'withdraw all') await withdraw(target, customer, ALL)
  else if (what === 'end the dispute') await operate(`/disputes/${await disputeOf(target, customer)}/end`, DECIDED)
  else if (step === 'remove the card') await operate(cardOf(customer), undefined, 'DELETE')
  else await target.notify(await noticeOf(target, customer, step.replace('tell ', '')))
}

async function withdraw({ url }: Target, customer: Customer, amount: string | undefined): Promise<void> {
  const path = `/v1/wallets/me/withdrawals?amount=${amount}&id=${customer.id}`
  const reply = await call(url, 'POST', path, { ...optionsOf(customer.ticket), headers: keyOf(customer) })
  customer.withdrawal = reply.json().whoWallets?.withdrawal.id
}

async function disputeOf({ operatorUrl }: Target, { paymentId }: Customer): Promise<string> {
  const { body } = await callOperator(operatorUrl, 'GET', `/operator/v1/disputes?paymentId=${paymentId}`)
  expect(body.items).toHaveLength(1)
  return body.items[0].id
}

/** Our reference of the only part. */
async function partReference({ operatorUrl }: Target, { withdrawal }: Customer): Promise<string> {
  const { body } = await callOperator(operatorUrl, 'GET', `/operator/v1/withdrawals/${withdrawal}`)
  return body.parts[0].reference
}

/** What the bank tells, about a refund or part of 4.00, or of the whole deposit. */
async function noticeOf(target: Target, customer: Customer, told: string): Promise<Notice> {
  const { paymentId: reference, withdrawal } = customer
  const [event = ''] = told.split(' ')
  const ofDispute = { meaning: 'disputed', event, reference, of: `dispute-${reference}` } as const
  const part = withdrawal === undefined ? '' : await partReference(target, customer)
  if (told === 'CHARGEBACK of more') return { ...ofDispute, amount: '1500' }
  if (event.includes('CHARGEBACK')) return { ...ofDispute, amount: '1000' }
  const ofDeposit = { reference, of: `sandbox-${reference}`, amount: '1000' }
  if (told === 'CAPTURE_FAILED') return { meaning: 'captureFailed', event, ...ofDeposit }
  if (told === 'CAPTURE') return { meaning: 'captured', event, ...ofDeposit }
  const ofPart = { reference: part, of: `sandbox-${part}`, amount: '400' }
  if (told === 'PAYOUT_REVERSED') return { meaning: 'payoutReversed', event, ...ofPart }
  if (told === 'REFUNDED_REVERSED') return { meaning: 'refundReversed', event, ...ofPart }
  if (told === 'REFUND of the part') return { meaning: 'refunded', event, ...ofPart }
  if (told === 'REFUND at the bank') {
    return { meaning: 'refunded', event, reference, of: `bank-${reference}`, amount: '400' }
  }
  const meaning = event === 'REFUND' ? 'refunded' : 'refundFailed'
  const { body } = await callOperator(target.operatorUrl, 'GET', `/operator/v1/deposits/${reference}/refunds`)
  return { meaning, event, reference, of: body.items.at(-1)?.gatewayReference, amount: '400' }
}
