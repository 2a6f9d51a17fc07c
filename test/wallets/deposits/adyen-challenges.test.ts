// 3-D Secure with Adyen's redirect flow: every answer that its documentation shows.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceOf } from '../../../src/wallets/account/ledger.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../../harness/adyen.ts'
import {
  challengedDepositor,
  finishChallenge,
  makeDeposit,
  RETURN_URL,
  readDeposit,
  registerReturnAddresses,
} from '../../harness/challenges.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import {
  deposit,
  depositStates,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
  sweepUntil,
} from '../../harness/wallets.ts'

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let service: TestService

beforeAll(async () => {
  fake = await startFakeAdyen()
  const settings = { GATEWAY_TIMEOUT_MS: '5000', VOID_GRACE_SECONDS: '600' }
  service = await startTestService({ GATEWAY: 'adyen', ...settings, ...adyenSettings(fake.url) })
  await registerReturnAddresses(service)
})
afterAll(async () => {
  await service.close()
  await fake.close()
})

const LEASE_MS = 600_000

function notify(options: Parameters<typeof adyenNotification>[0]) {
  const headers = { 'content-type': 'application/json' }
  const body = adyenNotification(options)
  return service.call('POST', '/v1/notifications/adyen', { key: null, secret: null, headers, body })
}

const atAdyen = (paymentId: string) =>
  [...fake.payments].find(([, { reference }]) => reference === paymentId) as [string, { state: string }]

test('the request has what a redirect needs, the browser as it was sent', async () => {
  const { ticket, method } = await newDepositor(service, { token: 'challenge' })
  const browser = {
    userAgent: 'Test/1.0',
    language: 'de-AT',
    screenWidth: '390',
    timeZoneOffset: '-60',
    ip: '192.0.2.7',
  }
  const { paymentId } = (await makeDeposit(service, { ticket, method, browser })).json().whoWallets
  const sent = fake.requests.filter(({ body }) => body.reference === paymentId)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.body).toMatchObject({
    channel: 'Web',
    origin: 'https://shop.example',
    returnUrl: RETURN_URL,
    browserInfo: {
      userAgent: 'Test/1.0',
      acceptHeader: '*/*',
      language: 'de-AT',
      colorDepth: 24,
      screenWidth: 390,
      screenHeight: 720,
      timeZoneOffset: -60,
      javaEnabled: false,
      javaScriptEnabled: true,
    },
    authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
    shopperIP: '192.0.2.7',
  })
})

test('a frictionless payment is authorised at once', async () => {
  const { ticket, method } = await newDepositor(service, { token: 'approve' })
  expect((await makeDeposit(service, { ticket, method })).json().whoWallets.status).toBe('authorised')
})

test.each([
  ['refuse-2', '24005'],
  ['refuse-12', '24007'],
  ['error-905', '24005'],
  ['result-Cancelled', '24005'],
  ['result-Pending', '24005'],
  ['result-Received', '24005'],
  ['result-IdentifyShopper', '24005'],
  ['result-ChallengeShopper', '24005'],
  ['result-PresentToShopper', '24005'],
  // A redirect without an address that a browser can be sent to.
  ['result-RedirectShopper', '24005'],
  ['challenge-native', '24005'],
  ['challenge-script', '24005'],
])('/payments answers %s: fault %s', async (token, fault) => {
  const { id, ticket, method } = await newDepositor(service, { token })
  expect(paidOrFaultCode(await makeDeposit(service, { ticket, method }))).toBe(fault)
  expect(['DECLINED', 'VOIDING']).toContain((await depositStates(service, id))[0])
})

test('a redirect with a form has its fields', async () => {
  const { action } = await challengedDepositor(service, 'challenge-post')
  expect(action).toMatchObject({ type: 'redirect', method: 'POST', url: expect.stringMatching(/^https:/) })
  expect(action.data).toEqual([
    { name: 'MD', value: expect.any(String) },
    { name: 'PaReq', value: expect.any(String) },
    { name: 'TermUrl', value: 'https://x' },
  ])
})

test.each([
  ['Authorised', 'paid', 'AUTHORISED'],
  ['Refused|11', '24005', 'DECLINED'],
  ['Refused|2', '24005', 'DECLINED'],
  ['Refused|12', '24007', 'DECLINED'],
  ['Refused|24', '24009', 'DECLINED'],
  ['Cancelled', '24005', 'DECLINED'],
  ['Error|42', '24005', 'DECLINED'],
  ['PartiallyAuthorised', '24007', 'VOIDING'],
  ['RedirectShopper', '24005', 'VOIDING'],
  ['ChallengeShopper', '24005', 'VOIDING'],
  ['AuthenticationFinished', '24005', 'VOIDING'],
  ['Pending', '24011', 'CHALLENGE'],
  ['Received', '24011', 'CHALLENGE'],
  ['http|422', '10071', 'CHALLENGE'],
  ['http|400', '10071', 'CHALLENGE'],
  ['http|401', '24011', 'CHALLENGE'],
  ['http|500', '24011', 'CHALLENGE'],
  ['hang', '24011', 'CHALLENGE'],
  ['reset', '24011', 'CHALLENGE'],
  ['Authorised|anonymous', '24011', 'CHALLENGE'],
  ['Authorised|cheaper', '24011', 'CHALLENGE'],
])('/payments/details answers %s: %s, %s', async (what, answer, state) => {
  const { id, ticket, paymentId } = await challengedDepositor(service, 'challenge')
  const reply = await finishChallenge(service, { ticket, paymentId, result: `${paymentId}|${what}` })
  expect(paidOrFaultCode(reply)).toBe(answer)
  expect(await depositStates(service, id)).toEqual([state])
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(answer === 'paid' ? 1000n : 0n)
})

test('the result of another payment credits nothing', async () => {
  const cheap = await challengedDepositor(service, 'challenge')
  const { id, ticket, paymentId } = await challengedDepositor(service, 'challenge')
  const reply = await finishChallenge(service, { ticket, paymentId, result: `${cheap.paymentId}|Authorised` })
  expect(reply.json().whoFaults[0]).toMatchObject({ faultCode: '10071', faultName: 'redirectResult' })
  expect(await depositStates(service, id)).toEqual(['CHALLENGE'])
})

test('a notification decides a challenge whose customer does not come back', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service, 'challenge')
  const [psp, payment] = atAdyen(paymentId)
  payment.state = 'held'
  await notify({ event: 'AUTHORISATION', reference: paymentId, psp })
  expect(await depositStates(service, id)).toEqual(['AUTHORISED'])
  expect((await readDeposit(service, ticket, paymentId)).json().whoWallets.status).toBe('authorised')
  await sweepUntil(service, id, ['CAPTURED'])
  expect(await ledgerProblems(service)).toEqual([])
})

test('an abandoned challenge is cancelled by our reference, and an approval after that by Adyen’s', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service, 'challenge')
  service.clock.advance(LEASE_MS)
  await sweep(service.context)
  expect(await depositStates(service, id)).toEqual(['VOIDING'])
  const [psp, payment] = atAdyen(paymentId)
  const isCancel = ({ path, body }: (typeof fake.requests)[number]) =>
    body.paymentReference === paymentId || path === `/v72/payments/${psp}/cancels`
  const cancels = () => fake.requests.filter(isCancel).map(({ path }) => path)
  expect(cancels()).toEqual(['/v72/cancels'])
  await notify({ event: 'TECHNICAL_CANCEL', reference: paymentId, psp: `${psp}-cancel` })
  expect(await depositStates(service, id)).toEqual(['VOIDED'])
  // The shopper approved at the last moment: Adyen holds the amount.
  payment.state = 'held'
  await notify({ event: 'AUTHORISATION', reference: paymentId, psp })
  await sweep(service.context)
  expect([...cancels(), payment.state]).toEqual(['/v72/cancels', `/v72/payments/${psp}/cancels`, 'cancelled'])
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(0n)
  expect(
    paidOrFaultCode(await finishChallenge(service, { ticket, paymentId, result: `${paymentId}|Authorised` })),
  ).toBe('24005')
})

test('an approval after a refusal is cancelled', async () => {
  const { id, ticket, paymentId } = await challengedDepositor(service, 'challenge')
  await finishChallenge(service, { ticket, paymentId, result: `${paymentId}|Refused|11` })
  const [psp, payment] = atAdyen(paymentId)
  payment.state = 'held'
  await notify({ event: 'AUTHORISATION', reference: paymentId, psp })
  await sweep(service.context)
  expect([await depositStates(service, id), payment.state]).toEqual([['DECLINED'], 'cancelled'])
})

test('makeTransaction asks for no challenge', async () => {
  const { ticket, method } = await newDepositor(service, { token: 'result-RedirectShopper' })
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24005')
  expect(fake.requests.at(-1)?.body).not.toHaveProperty('channel')
})
