// The bodies that the service sends to Adyen, against the types of Adyen's own library: that they compile is the test.

import type { PaymentDetailsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsRequest.js'
import type { PaymentRefundRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundRequest.js'
import { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js'
import { ThreeDSRequestData } from '@adyen/api-library/lib/src/typings/checkout/threeDSRequestData.js'
import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js'
import { PartyIdentification } from '@adyen/api-library/lib/src/typings/transfers/partyIdentification.js'
import { TransferData } from '@adyen/api-library/lib/src/typings/transfers/transferData.js'
import { TransferInfo } from '@adyen/api-library/lib/src/typings/transfers/transferInfo.js'
import { TransferData as WebhookData } from '@adyen/api-library/lib/src/typings/transferWebhooks/transferData.js'
import { expect, test } from 'vitest'
import { challengeBody, detailsBody } from '../../src/wallets/gateways/adyen/challenge.ts'
import { EVENT_CODES } from '../../src/wallets/gateways/adyen/event-codes.ts'
import { paymentBody } from '../../src/wallets/gateways/adyen/gateway.ts'
import { refundBody } from '../../src/wallets/gateways/adyen/refund.ts'
import { transferBody } from '../../src/wallets/gateways/adyen/transfer.ts'
import {
  NOT_ENOUGH_BALANCE,
  stateOfStatus,
  TRANSFER_REASONS,
} from '../../src/wallets/gateways/adyen/transfer-reasons.ts'
import { type Cv2, parseCv2 } from '../../src/wallets/gateways/cv2.ts'

/** A type of the library as JSON: its enumerations are their texts. */
type Json<T> = T extends string
  ? `${T}`
  : T extends number | boolean | null | undefined
    ? T
    : T extends (infer Item)[]
      ? Json<Item>[]
      : { [Name in keyof T]: Json<T[Name]> }

const request = { reference: 'r', customerId: 7, token: 't', amount: 1000n, currency: 'GBP' }
const browser = {
  userAgent: 'Test/1.0',
  acceptHeader: '*/*',
  language: 'en-GB',
  colorDepth: 24,
  screenWidth: 390,
  screenHeight: 844,
  timeZoneOffset: 0,
  javaEnabled: false,
  ip: '192.0.2.7',
}
const challenge = { returnUrl: 'https://shop.example/back', browser, serviceUrl: 'https://paddock.example' }
const cv2 = parseCv2('737') as Cv2

test('a payment with and without 3-D Secure is a PaymentRequest', () => {
  // Only a payment that may redirect needs the address to return to.
  const plain: Omit<Json<PaymentRequest>, 'returnUrl'> = paymentBody('Merchant', request, 1000, cv2)
  const challenged: Json<PaymentRequest> = {
    ...paymentBody('Merchant', request, 1000, cv2),
    ...challengeBody(challenge),
  }
  const known = new Set(PaymentRequest.getAttributeTypeMap().map(({ baseName }) => baseName))
  for (const name of [...Object.keys(plain), ...Object.keys(challenged)]) expect(known).toContain(name)
  expect(Object.values(PaymentRequest.ChannelEnum)).toContain(challenged.channel)
  expect(Object.values(PaymentRequest.ShopperInteractionEnum)).toContain(plain.shopperInteraction)
  expect(Object.values(PaymentRequest.RecurringProcessingModelEnum)).toContain(plain.recurringProcessingModel)
  const { nativeThreeDS } = challenged.authenticationData?.threeDSRequestData ?? {}
  expect(Object.values(ThreeDSRequestData.NativeThreeDSEnum)).toContain(nativeThreeDS)
})

test('the result of a challenge is a PaymentDetailsRequest', () => {
  const details: Json<PaymentDetailsRequest> = detailsBody('eyJ0')
  expect(details).toEqual({ details: { redirectResult: 'eyJ0' } })
})

test('a refund is a PaymentRefundRequest', () => {
  const refund: Json<PaymentRefundRequest> = refundBody('Merchant', { reference: 'r' }, { value: 250, currency: 'GBP' })
  expect(refund).toEqual({ merchantAccount: 'Merchant', reference: 'r', amount: { value: 250, currency: 'GBP' } })
})

test('a payout is a TransferInfo', () => {
  const terms = { ...request, holder: { firstName: 'Ann', lastName: 'Lee' } }
  const transfer: Json<TransferInfo> = transferBody('BA1', terms, 1000)
  const known = new Set(TransferInfo.getAttributeTypeMap().map(({ baseName }) => baseName))
  for (const name of Object.keys(transfer)) expect(known).toContain(name)
  expect(Object.values(TransferInfo.CategoryEnum)).toContain(transfer.category)
  const { cardHolder } = transfer.counterparty.card ?? {}
  expect(Object.values(PartyIdentification.TypeEnum)).toContain(cardHolder?.type)
  const ofHolder = new Set(PartyIdentification.getAttributeTypeMap().map(({ baseName }) => baseName))
  for (const name of Object.keys(cardHolder ?? {})) expect(ofHolder).toContain(name)
})

test.each([
  ['answers', TransferData],
  ['webhooks', WebhookData],
])('every reason of a transfer in %s is put into words, or is that our account has too little', (_, { ReasonEnum }) => {
  const known = [...Object.keys(TRANSFER_REASONS), NOT_ENOUGH_BALANCE]
  expect(known.toSorted()).toEqual(Object.values<string>(ReasonEnum).toSorted())
})

test('every reason of a transfer is a refusal that withdrawals know', () => {
  const refusals = new Set(Object.values(TRANSFER_REASONS).map(([refusal]) => refusal))
  expect([...refusals].toSorted()).toEqual(['account-closed', 'card', 'not-permitted', 'other'])
})

test('every status of a transfer that decides something is one of Adyen’s', () => {
  const decided = Object.values<string>(WebhookData.StatusEnum).filter((status) => stateOfStatus(status) !== null)
  expect(decided.toSorted()).toEqual(
    [
      ...[
        'approvalPending',
        'authorised',
        'bookingPending',
        'pending',
        'pendingApproval',
        'pendingExecution',
        'received',
      ],
      ...['booked', 'credited'],
      ...['cancelled', 'expired', 'failed', 'refused', 'rejected'],
      ...['returned', 'reversed'],
    ].toSorted(),
  )
})

test('every event code of Adyen’s notifications has a decided meaning', () => {
  const codes = Object.values(NotificationRequestItem.EventCodeEnum)
  expect(codes.filter((code) => !Object.hasOwn(EVENT_CODES, code))).toEqual([])
  // A code that Adyen no longer has would hide a typing error.
  expect(Object.keys(EVENT_CODES).filter((code) => !(codes as string[]).includes(code))).toEqual([])
})
