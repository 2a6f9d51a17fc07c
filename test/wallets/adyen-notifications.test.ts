// Both kinds of Adyen's webhooks: who signed them, and what they mean.

import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js'
import type { TransferNotificationRequest } from '@adyen/api-library/lib/src/typings/transferWebhooks/transferNotificationRequest.js'
import hmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator.js'
import { expect, test } from 'vitest'
import { readAdyenNotifications } from '../../src/wallets/gateways/adyen/notifications.ts'
import type { GatewayNotification } from '../../src/wallets/gateways/gateway.ts'
import { sandboxNotification } from '../../src/wallets/gateways/sandbox/notifications.ts'
import { ADYEN, adyenNotification, fakeAdyenSettings } from '../harness/adyen.ts'
import { TRANSFERS, transferWebhook, type Webhook } from '../harness/adyen-transfers.ts'

const settings = fakeAdyenSettings('http://127.0.0.1:9')
const read = ({ body, headers }: Webhook, used: Parameters<typeof readAdyenNotifications>[2] = settings) =>
  readAdyenNotifications(Buffer.from(body), headers, used)
const readItem = (body: string) => read({ body, headers: {} })
const one = (notifications: GatewayNotification[] | null): GatewayNotification => {
  expect(notifications).toHaveLength(1)
  return (notifications as [GatewayNotification])[0]
}

// ---- Standard webhooks

test('only an item signed with our key is a notification', () => {
  const good = adyenNotification({ event: 'AUTHORISATION', reference: 'r' })
  expect(readItem(good)).toEqual([
    expect.objectContaining({
      event: 'AUTHORISATION',
      success: true,
      reference: 'r',
      amount: 1000n,
      meaning: 'approved',
    }),
  ])
  expect(readItem(adyenNotification({ event: 'AUTHORISATION', reference: 'r', key: 'cd'.repeat(32) }))).toBeNull()
  expect(readItem(good.replace('"value":1000', '"value":1001'))).toBeNull()
  expect(readItem(good.replace(/"hmacSignature":"[^"]+"/, '"hmacSignature":"AAAA"'))).toBeNull()
  expect(readItem(adyenNotification({ event: 'AUTHORISATION', reference: 'r', merchantAccount: 'Another' }))).toEqual(
    [],
  )
  for (const bad of [
    '',
    'null',
    '5',
    '[]',
    '{}',
    '{"notificationItems":[]}',
    '{"notificationItems":[null]}',
    '{"notificationItems":[{}]}',
    '{"type":5}',
    '{"type":"balancePlatform.transfer.updated"}',
  ]) {
    expect(readItem(bad)).toBeNull()
  }
})

test('Adyen’s own validator agrees with ours on the signature of an item', () => {
  const body = adyenNotification({ event: 'REFUND', reference: 'r', psp: 'P', original: 'O', value: 250 })
  const [{ NotificationRequestItem: item }] = JSON.parse(body).notificationItems
  expect(item).toMatchObject({ eventCode: NotificationRequestItem.EventCodeEnum.Refund, success: 'true' })
  const validator = new hmacValidator.default()
  for (const [value, isSigned] of [
    [250, true],
    [251, false],
  ] as const) {
    const changed = { ...item, amount: { ...item.amount, value } }
    expect(validator.validateHMAC(changed, ADYEN.hmacKey)).toBe(isSigned)
    const sent = JSON.stringify({ notificationItems: [{ NotificationRequestItem: changed }] })
    expect(readItem(sent) !== null).toBe(isSigned)
  }
})

test('two steps of one dispute have different keys, and a delivery again has the same', () => {
  const key = (value: number, event = 'CHARGEBACK') => {
    const options = { event, reference: 'r', psp: 'DISPUTE', original: 'PSP1', value }
    return one(readItem(adyenNotification(options))).key
  }
  expect(key(2000)).toBe(key(2000))
  expect(new Set([key(2000), key(500), key(500, 'CHARGEBACK_REVERSED')]).size).toBe(3)
})

test.each([
  ['CANCELLATION', true, undefined, 'cancelled'],
  ['CANCELLATION', false, undefined, 'cancelFailed'],
  ['TECHNICAL_CANCEL', false, undefined, 'cancelFailed'],
  ['CANCEL_OR_REFUND', true, 'cancel', 'cancelled'],
  ['CANCEL_OR_REFUND', false, 'cancel', 'cancelFailed'],
  ['CANCEL_OR_REFUND', true, 'refund', 'refunded'],
  ['CANCEL_OR_REFUND', false, 'refund', 'refundFailed'],
  ['CANCEL_OR_REFUND', true, undefined, 'nothing'],
  ['CANCEL_OR_REFUND', true, 'toString', 'nothing'],
  // What was sent by the Payout API of earlier versions.
  ['PAYOUT_THIRDPARTY', true, undefined, 'payoutPaid'],
  ['PAYOUT_THIRDPARTY', false, undefined, 'payoutReturned'],
  ['PAYOUT_DECLINE', true, undefined, 'payoutReturned'],
  ['PAYOUT_EXPIRE', true, undefined, 'payoutReturned'],
  ['PAIDOUT_REVERSED', true, undefined, 'payoutReversed'],
] as const)('%s with success %s and action %s means %s', (event, success, action, meaning) => {
  const more = action === undefined ? {} : { action }
  expect(one(readItem(adyenNotification({ event, success, reference: 'r', ...more }))).meaning).toBe(meaning)
})

test.each([
  ['Won', true],
  ['Lost', true],
  ['Accepted', true],
  ['Expired', true],
  ['Pending', false],
  ['Undefended', false],
  ['Responded', false],
])('a dispute with the status %s is over: %s', (disputeStatus, isOver) => {
  const told = (event: string) => one(readItem(adyenNotification({ event, reference: 'r', disputeStatus }))).endsDispute
  expect(told('CHARGEBACK')).toBe(isOver)
  expect(told('REFUND')).toBe(false)
})

test.each([
  ['Account closed', 'account-closed'],
  ['The account is closed', 'account-closed'],
  ['Insufficient balance on payment', 'deposit'],
  ['Payment is already refunded', 'deposit'],
  ['Transaction hasn’t been captured, refund not possible', 'deposit'],
  ['Amount exceeds the captured amount', 'deposit'],
  ['Refund not allowed', 'deposit'],
  ['Transaction not permitted', 'not-permitted'],
  ['Card expired', 'card'],
  ['Card reported stolen', 'card'],
  ['Invalid account', 'card'],
  // Of our own account: neither card nor deposit is to blame.
  ['Insufficient balance', 'other'],
  ['Refund Failed', 'other'],
  ['', 'other'],
])('a refund that failed because of "%s": %s', (reason, refusal) => {
  const told = (event: string, success: boolean) =>
    one(readItem(adyenNotification({ event, success, reference: 'r', reason })))
  expect(told('REFUND', false)).toMatchObject({ meaning: 'refundFailed', refusal })
  const late = told('REFUND_FAILED', true)
  expect(late.refusal).toBe(refusal)
  // In our words: theirs could quote anything.
  expect(late.reason).not.toBe('')
  if (reason !== '') expect(late.reason).not.toContain(reason)
  expect(told('REFUND', true)).toMatchObject({ meaning: 'refunded', refusal: null, reason: '' })
})

// ---- Webhooks about transfers

test('a webhook about a transfer is signed as a whole, by a key of its own', () => {
  const good = transferWebhook({ reference: 'r', status: 'booked', id: 'T1' })
  expect(one(read(good))).toEqual({
    key: 'T1 booked 1000',
    event: 'transfer.booked',
    success: true,
    reference: 'r',
    gatewayReference: 'T1',
    paymentReference: '',
    amount: 1000n,
    isWithoutAmount: false,
    currency: 'GBP',
    meaning: 'payoutPaid',
    answerBy: null,
    endsDispute: false,
    refusal: null,
    reason: '',
  })
  expect(read({ ...good, headers: {} })).toBeNull()
  expect(read({ ...good, body: good.body.replace('"test"', '"live"') })).toBeNull()
  expect(read(transferWebhook({ reference: 'r', status: 'booked', key: ADYEN.hmacKey }))).toBeNull()
  expect(read(good, { ...settings, transfers: null })).toBeNull()
})

test('Adyen’s own validator agrees with ours on the signature of a webhook', () => {
  const { body, headers } = transferWebhook({ reference: 'r', status: 'booked' })
  const webhook = JSON.parse(body) as TransferNotificationRequest
  expect(webhook.data.status).toBe('booked')
  const validator = new hmacValidator.default()
  for (const [sent, isSigned] of [
    [body, true],
    [`${body} `, false],
  ] as const) {
    expect(validator.validateHMACSignature(TRANSFERS.hmacKey, headers.hmacsignature as string, sent)).toBe(isSigned)
    expect(read({ body: sent, headers }) !== null).toBe(isSigned)
  }
})

test.each([
  { balanceAccount: 'BA-of-somebody-else' },
  { category: 'bank' },
  { type: 'balancePlatform.transaction.created' },
])('a signed webhook about something else is nothing: %j', (other) => {
  expect(read(transferWebhook({ reference: 'r', status: 'booked', ...other }))).toEqual([])
})

test.each([
  ['received', 'approved', 'nothing', null],
  ['authorised', 'approved', 'nothing', null],
  ['pending', 'pending', 'nothing', null],
  ['booked', 'approved', 'payoutPaid', null],
  ['credited', 'approved', 'payoutPaid', null],
  ['refused', 'counterpartyAccountClosed', 'payoutReturned', 'account-closed'],
  ['refused', 'transactionNotPermitted', 'payoutReturned', 'not-permitted'],
  ['failed', 'lostCard', 'payoutReturned', 'card'],
  ['failed', 'a reason that is new', 'payoutReturned', 'other'],
  ['returned', 'counterpartyAccountClosed', 'payoutReversed', 'account-closed'],
  // Ours to fund: it is sent again.
  ['refused', 'notEnoughBalance', 'nothing', null],
  ['error', 'error', 'nothing', null],
  ['a status that is new', 'approved', 'nothing', null],
])('a transfer %s with the reason %s means %s', (status, reason, meaning, refusal) => {
  const told = one(read(transferWebhook({ reference: 'r', status, reason })))
  expect(told).toMatchObject({ meaning, refusal, event: `transfer.${status}` })
  expect(told.reason === '').toBe(refusal === null)
})

test('a transfer that is booked twice, the second time with tracking data, is paid once; what came back is another step', () => {
  const key = (status: string, sequenceNumber: number) =>
    one(read(transferWebhook({ reference: 'r', status, sequenceNumber }))).key
  expect(key('booked', 3)).toBe(key('booked', 5))
  expect(key('returned', 6)).not.toBe(key('booked', 3))
})

// ---- The sandbox's bank

test('the sandbox’s bank can report every meaning, of any amount, currency and reference', () => {
  const terms = { reference: 'r', amount: 700n, currency: 'EUR' }
  const reports = [
    ['AUTHORISATION', true, 'approved', 'sandbox-r'],
    ['CAPTURE', true, 'captured', 'sandbox-r'],
    ['CAPTURE', false, 'captureFailed', 'sandbox-r'],
    ['CANCELLATION', true, 'cancelled', 'sandbox-r'],
    ['TECHNICAL_CANCEL', false, 'cancelFailed', 'sandbox-r'],
    ['REFUND', true, 'refunded', 'sandbox-refund-r'],
    ['REFUND', false, 'refundFailed', 'sandbox-refund-r'],
    ['REFUNDED_REVERSED', true, 'refundReversed', 'sandbox-refund-r'],
    ['CHARGEBACK', true, 'disputed', 'sandbox-dispute-r'],
    ['PAYOUT_THIRDPARTY', true, 'payoutPaid', 'sandbox-r'],
    ['PAYOUT_THIRDPARTY', false, 'payoutReturned', 'sandbox-r'],
    ['PAIDOUT_REVERSED', true, 'payoutReversed', 'sandbox-r'],
    ['REPORT_AVAILABLE', true, 'nothing', 'sandbox-r'],
  ] as const
  for (const [event, success, meaning, gatewayReference] of reports) {
    const isBack = /Failed|Reversed|Returned/.test(meaning) && /^(refund|payout)/.test(meaning)
    expect(sandboxNotification({ ...terms, event, success }, 0)).toMatchObject({
      ...{ ...terms, event, success, meaning, gatewayReference },
      refusal: isBack ? 'other' : null,
    })
  }
  const foreign = { ...terms, event: 'REFUND_FAILED', gatewayReference: 'theirs', refusal: 'account-closed' as const }
  expect(sandboxNotification(foreign, 0)).toMatchObject({ gatewayReference: 'theirs', refusal: 'account-closed' })
  const key = (amount: bigint) => sandboxNotification({ ...terms, event: 'CHARGEBACK', amount }, 0).key
  expect(key(1n)).not.toBe(key(2n))
})
