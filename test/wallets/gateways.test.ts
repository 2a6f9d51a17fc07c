// The contract of every gateway, and the meaning of Adyen's answers.

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InvalidSettings, readConfig } from '../../src/platform/config/config.ts'
import { adyenGateway } from '../../src/wallets/gateways/adyen/gateway.ts'
import { adyenUnits, fromAdyenUnits } from '../../src/wallets/gateways/adyen/units.ts'
import { type Cv2, parseCv2 } from '../../src/wallets/gateways/cv2.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import { openGateways } from '../../src/wallets/gateways/gateways.ts'
import { openSandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { sandboxResult } from '../../src/wallets/gateways/sandbox/challenges.ts'
import { sandboxGateway } from '../../src/wallets/gateways/sandbox/gateway.ts'
import { remoteSandboxGateway } from '../../src/wallets/gateways/sandbox/remote-gateway.ts'
import { startSandboxGateway } from '../../src/wallets/gateways/sandbox/server.ts'
import { ADYEN, adyenSettings, fakeAdyenSettings, startFakeAdyen } from '../harness/adyen.ts'
import { newDataFolder } from '../harness/data-folder.ts'

/** Where an answer never comes. */
const HASTY_MS = 1_000
/** Where it comes, however busy the machine is. */
const PATIENT_MS = 60_000
const cv2 = parseCv2('737') as Cv2

type Tokens = Record<
  | 'approve'
  | 'decline'
  | 'insufficient'
  | 'invalidCard'
  | 'expired'
  | 'wrongCv2'
  | 'unknown'
  | 'lost'
  | 'lostAfter'
  | 'error',
  string
>
const SANDBOX: Tokens = {
  approve: 'sandbox:approve',
  decline: 'sandbox:decline',
  insufficient: 'sandbox:insufficient-funds',
  invalidCard: 'sandbox:invalid-card',
  expired: 'sandbox:expired',
  wrongCv2: 'sandbox:wrong-cv2',
  unknown: 'nothing-of-the-sandbox',
  lost: 'sandbox:timeout-before',
  lostAfter: 'sandbox:timeout-after',
  error: 'sandbox:error-before',
}
const ADYEN_TOKENS: Tokens = {
  approve: 'approve',
  decline: 'refuse-2',
  insufficient: 'refuse-12',
  invalidCard: 'refuse-8',
  expired: 'refuse-6',
  wrongCv2: 'refuse-24',
  unknown: 'deleted',
  lost: 'hang',
  lostAfter: 'hang-after',
  error: 'http-500-000',
}

const folder = newDataFolder()
const closing: { close(): unknown }[] = []
let fake: Awaited<ReturnType<typeof startFakeAdyen>>
type Both = { patient: Gateway; hasty: Gateway }
const gateways: Record<string, Both> = {}
const patient = (name: string) => (gateways[name] as Both).patient

beforeAll(async () => {
  fake = await startFakeAdyen()
  const remote = await startSandboxGateway(join(folder, 'remote.db'), '127.0.0.1', 0)
  const openBank = () => openSandboxBank(join(folder, 'bank.db'))
  const both = (open: (timeoutMs: number) => Gateway) => ({ patient: open(PATIENT_MS), hasty: open(HASTY_MS) })
  gateways.sandbox = both((timeoutMs) => sandboxGateway(openBank(), timeoutMs))
  gateways['sandbox over HTTP'] = both((timeoutMs) => remoteSandboxGateway(remote.url, timeoutMs))
  gateways.adyen = both((timeoutMs) => adyenGateway(fakeAdyenSettings(fake.url), timeoutMs))
  closing.push(...Object.values(gateways).flatMap(({ patient, hasty }) => [patient, hasty]), remote, fake)
})
afterAll(async () => {
  for (const one of closing) await one.close()
  rmSync(folder, { recursive: true })
})

function request(token: string, reference: string = randomUUID()) {
  return { reference, customerId: 7, token, amount: 1000n, currency: 'GBP' }
}

test.each([
  ['approve', 'refuse', 'approved', 'held'],
  ['refuse', 'approve', 'refused', 'cancelled'],
] as const)(
  'an issuer of the sandbox that was told to %s does not change its mind',
  async (first, then, outcome, state) => {
    const bank = openSandboxBank(':memory:')
    closing.push(bank)
    const { reference, ...terms } = request('sandbox:challenge')
    await bank.authorise({ reference, ...terms, challenge: { serviceUrl: 'https://paddock.example' } })
    for (const decision of [first, first, then]) {
      expect(bank.finishChallenge(reference, sandboxResult(reference, decision)).outcome).toBe(outcome)
    }
    expect(bank.find(reference)?.state).toBe(state)
  },
)

describe.each([
  ['sandbox', SANDBOX],
  ['sandbox over HTTP', SANDBOX],
  ['adyen', ADYEN_TOKENS],
] as const)('%s', (name, tokens) => {
  const gateway = () => patient(name)
  const lost: string[] = [tokens.lost, tokens.lostAfter]
  const authorise = (token: string, reference?: string) => {
    const used = lost.includes(token) ? (gateways[name] as Both).hasty : gateway()
    return used.authorise(request(token, reference), cv2)
  }

  async function held(reference: string) {
    const decision = await authorise(tokens.approve, reference)
    if (decision.outcome !== 'approved') throw new Error('not approved')
    return { reference, gatewayReference: decision.gatewayReference, amount: 1000n, currency: 'GBP' }
  }

  test.each([
    ['decline', 'authorisationFailed'],
    ['insufficient', 'insufficientFunds'],
    ['invalidCard', 'cardNumberInvalid'],
    ['expired', 'expiryInvalid'],
    ['wrongCv2', 'cv2Invalid'],
    ['unknown', 'methodInvalid'],
  ] as const)('%s is refused with %s', async (token, fault) => {
    expect(await authorise(tokens[token])).toMatchObject({ outcome: 'refused', fault })
  })

  test.each(['lost', 'lostAfter', 'error'] as const)(
    'the result of "%s" is unknown, and nothing is thrown',
    async (token) => {
      expect((await authorise(tokens[token])).outcome).toBe('unknown')
    },
  )

  test('the same reference again is the same payment', async () => {
    const reference = randomUUID()
    expect(await authorise(tokens.approve, reference)).toEqual(await authorise(tokens.approve, reference))
  })

  test('a capture may be repeated', async () => {
    const payment = await held(randomUUID())
    expect((await gateway().capture(payment)).outcome).toBe('captured')
    expect((await gateway().capture(payment)).outcome).toBe('captured')
  })

  test('a refund may be repeated, and returns no more than was captured', async () => {
    const payment = await held(randomUUID())
    const refund = (amount: bigint, reference: string = randomUUID()) =>
      gateway().refund(payment, { reference, amount, isReturn: false, gatewayReference: null })
    expect((await refund(100n)).outcome).toBe('refused')
    await gateway().capture(payment)
    const first = randomUUID()
    const answer = await refund(600n, first)
    expect(['done', 'received']).toContain(answer.outcome)
    expect(await refund(600n, first)).toEqual(answer)
    expect(await refund(401n)).toMatchObject({ outcome: 'refused', refusal: 'deposit' })
    expect((await refund(400n)).outcome).toBe(answer.outcome)
  })

  test('a hold without an answer is cancelled by our reference', async () => {
    const reference = randomUUID()
    await authorise(tokens.lostAfter, reference)
    const payment = { reference, gatewayReference: null, amount: 1000n, currency: 'GBP' }
    const outcomes = [await gateway().cancel(payment), await gateway().cancel(payment)].map(({ outcome }) => outcome)
    for (const outcome of outcomes) expect(['cancelled', 'accepted']).toContain(outcome)
  })

  test('a cancel of an unknown payment is no proof of absence', async () => {
    const payment = { reference: randomUUID(), gatewayReference: null, amount: 1000n, currency: 'GBP' }
    expect(['notFound', 'accepted']).toContain((await gateway().cancel(payment)).outcome)
  })

  test('a payment is looked up, or the gateway says that it cannot be', async () => {
    const payment = await held(randomUUID())
    const missing = { ...payment, reference: randomUUID() }
    if (name === 'adyen') {
      expect(await gateway().lookUp(payment, [])).toEqual({ outcome: 'notified', state: null })
      return
    }
    const found = { outcome: 'found', amount: 1000n, currency: 'GBP' }
    expect(await gateway().lookUp(payment, [])).toEqual({ ...found, state: 'held' })
    await gateway().capture(payment)
    expect(await gateway().lookUp(payment, [])).toEqual({ ...found, state: 'captured' })
    expect(await gateway().lookUp(missing, [])).toEqual({ outcome: 'notFound' })
  })

  test('results do not contain the cv2', async () => {
    const all = await Promise.all(Object.values(tokens).map((token) => authorise(token)))
    // A random reference may contain any three digits.
    const text = JSON.stringify(all).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
    expect(text).toContain('approved')
    expect(text).not.toContain('737')
  })
})

test.each([
  ['sandbox:approve', ['done', 'done']],
  ['sandbox:refund-slow', ['received', 'received']],
  ['sandbox:refund-failed', ['refused', 'refused']],
  ['sandbox:refund-unknown', ['unknown', 'done']],
])('a refund to the card %s ends %j, and is one', async (token, outcomes) => {
  for (const name of ['sandbox', 'sandbox over HTTP']) {
    const reference = randomUUID()
    const payment = { reference, gatewayReference: null, amount: 1000n, currency: 'GBP' }
    await patient(name).authorise(request(token, reference), cv2)
    await patient(name).capture(payment)
    const refund = () =>
      patient(name).refund(payment, {
        reference: `r-${reference}`,
        amount: 700n,
        isReturn: false,
        gatewayReference: null,
      })
    expect([(await refund()).outcome, (await refund()).outcome]).toEqual(outcomes)
    const left = await patient(name).refund(payment, {
      reference: `s-${reference}`,
      amount: 1000n,
      isReturn: false,
      gatewayReference: null,
    })
    expect(left.outcome).toBe('refused')
  }
})

test('the sandbox does not cancel a captured payment, also after a restart', async () => {
  const file = join(folder, 'restart.db')
  const first = openSandboxBank(file)
  await first.authorise(request('sandbox:approve', 'one'))
  await first.authorise(request('sandbox:approve', 'two'))
  first.capture('one')
  first.close()
  const second = openSandboxBank(file)
  expect(second.cancel('one').outcome).toBe('captured')
  expect(second.cancel('two').outcome).toBe('cancelled')
  expect(second.capture('two').outcome).toBe('refused')
  expect(second.payments().map(({ reference, state }) => [reference, state])).toEqual([
    ['one', 'captured'],
    ['two', 'cancelled'],
  ])
  second.close()
})

// ---- Which gateways are configured

const PRODUCTION = { MODE: 'production', TRUST_PROXY: '10.0.0.1' }
const LIVE = adyenSettings('https://live.example')

test.each([
  ['the sandbox alone', {}, 'sandbox', ['sandbox']],
  ['Adyen beside the sandbox', adyenSettings('http://127.0.0.1:9'), 'sandbox', ['sandbox', 'adyen']],
  ['the sandbox beside Adyen', { ...LIVE, GATEWAY: 'adyen' }, 'adyen', ['sandbox', 'adyen']],
  ['never the sandbox in production', { ...LIVE, ...PRODUCTION, GATEWAY: 'adyen' }, 'adyen', ['adyen']],
])('the settings open %s', async (_, settings, current, names) => {
  const opened = await openGateways(readConfig({ DATA_DIR: folder, ...settings }))
  try {
    expect(opened.current.name).toBe(current)
    expect(opened.configured.map(({ name }) => name)).toEqual(names)
    for (const name of ['sandbox', 'adyen']) expect(opened.byName(name)?.name).toBe(names.find((one) => one === name))
    for (const name of ['', 'toString', 'Sandbox', 'acme']) expect(opened.byName(name)).toBeUndefined()
  } finally {
    await opened.close()
  }
})

test.each([
  'ADYEN_API_KEY',
  'ADYEN_MERCHANT_ACCOUNT',
  'ADYEN_HMAC_KEY',
  'ADYEN_TRANSFERS_KEY',
  'ADYEN_BALANCE_ACCOUNT',
  'ADYEN_TRANSFERS_HMAC_KEY',
])('the settings of Adyen must be complete or absent, also when the sandbox is the gateway: %s', (name) => {
  const problems = (settings: Record<string, string>) => {
    try {
      readConfig(settings)
      return []
    } catch (error) {
      return (error as InvalidSettings).problems.map((problem) => problem.split(' ')[0])
    }
  }
  expect(problems({ ...LIVE, [name]: '' })).toEqual([name])
  // A setting of transfers needs the two others, and the three of payments.
  const isOfTransfers = /TRANSFERS|BALANCE/.test(name)
  expect(problems({ [name]: LIVE[name] as string })).toHaveLength(isOfTransfers ? 5 : 2)
})

// ---- Adyen

const MEANINGS: [token: string, outcome: string, fault?: string][] = [
  ['approve', 'approved'],
  ['refuse-6', 'refused', 'expiryInvalid'],
  ['refuse-8', 'refused', 'cardNumberInvalid'],
  ['refuse-34', 'refused', 'cardNumberInvalid'],
  ['refuse-35', 'refused', 'cardNumberInvalid'],
  ['refuse-12', 'refused', 'insufficientFunds'],
  ['refuse-28', 'unusable', 'insufficientFunds'],
  ['refuse-29', 'unusable', 'insufficientFunds'],
  ['refuse-30', 'unusable', 'insufficientFunds'],
  ['refuse-24', 'refused', 'cv2Invalid'],
  ...[
    '2',
    '3',
    '4',
    '5',
    '7',
    '9',
    '10',
    '11',
    '14',
    '15',
    '16',
    '17',
    '18',
    '20',
    '22',
    '23',
    '25',
    '26',
    '27',
    '31',
  ].map((code): [string, string, string] => [`refuse-${code}`, 'refused', 'authorisationFailed']),
  ['error-4', 'refused', 'authorisationFailed'],
  ['refuse-13', 'unknown'],
  ['result-Received', 'unknown'],
  ['result-Pending', 'unknown'],
  ['result-PartiallyAuthorised', 'unusable', 'insufficientFunds'],
  ...['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper', 'PresentToShopper'].map(
    (result): [string, string, string] => [`result-${result}`, 'unusable', 'authorisationFailed'],
  ),
  ['http-422-101', 'refused', 'cardNumberInvalid'],
  ['http-422-103', 'refused', 'cv2Invalid'],
  ['http-422-153', 'refused', 'cv2Invalid'],
  ['http-422-129', 'refused', 'expiryInvalid'],
  ['http-422-800', 'refused', 'methodInvalid'],
  ['http-422-803', 'refused', 'methodInvalid'],
  ['http-422-999', 'refused', 'authorisationFailed'],
  ['message-CVC is required for OneClick card payments', 'refused', 'cv2Invalid'],
  ['message-Expiry month should be between 1 and 12', 'refused', 'expiryInvalid'],
  ['http-422-703', 'unknown'],
  ['http-422-704', 'unknown'],
  ['http-409-704', 'unknown'],
  ['http-429-000', 'unknown'],
  ['http-500-905', 'unknown'],
  ['http-503-000', 'unknown'],
  ['http-400-702', 'refused', 'authorisationFailed'],
  ['http-403-010', 'refused', 'authorisationFailed'],
  ['hang', 'unknown'],
  ['reset', 'unknown'],
]

test.each(MEANINGS)('adyen: %s means %s', async (token, outcome, fault) => {
  const { patient, hasty } = gateways.adyen as Both
  const decision = await (token === 'hang' ? hasty : patient).authorise(request(token), cv2)
  expect(decision).toMatchObject({ outcome, ...(fault === undefined ? {} : { fault }) })
})

test('adyen gets the documented requests, over keep-alive connections', async () => {
  const gateway = patient('adyen')
  const reference = randomUUID()
  const before = fake.requests.length
  const decision = await gateway.authorise(request('approve', reference), cv2)
  const gatewayReference = decision.outcome === 'approved' ? decision.gatewayReference : null
  await gateway.capture({ reference, gatewayReference, amount: 1000n, currency: 'GBP' })
  const refund = { reference: 'refund-1', amount: 250n, isReturn: true, gatewayReference: null }
  await gateway.refund({ reference, gatewayReference, amount: 1000n, currency: 'GBP' }, refund)
  await gateway.cancel({ reference, gatewayReference: null, amount: 1000n, currency: 'GBP' })
  const amount = { value: 1000, currency: 'GBP' }
  const { merchantAccount } = ADYEN
  expect(fake.requests.slice(before)).toEqual([
    {
      path: '/v72/payments',
      key: reference,
      body: {
        merchantAccount,
        reference,
        amount,
        paymentMethod: { type: 'scheme', storedPaymentMethodId: 'approve', cvc: '737' },
        shopperReference: '7',
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: 'CardOnFile',
        additionalData: { manualCapture: 'true' },
      },
    },
    {
      path: `/v72/payments/${gatewayReference}/captures`,
      key: `${reference}-capture`,
      body: { merchantAccount, reference, amount },
    },
    {
      path: `/v72/payments/${gatewayReference}/refunds`,
      key: 'refund-1',
      body: { merchantAccount, reference: 'refund-1', amount: { value: 250, currency: 'GBP' } },
    },
    {
      path: '/v72/cancels',
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body: { merchantAccount, paymentReference: reference, reference },
    },
  ])
  expect(fake.connections()).toBeLessThan(10)
})

test('a capture that adyen cannot do is refused; one without an answer is unknown', async () => {
  const payment = { reference: randomUUID(), gatewayReference: 'PSP-none', amount: 1000n, currency: 'GBP' }
  expect((await patient('adyen').capture(payment)).outcome).toBe('refused')
  const wrongKey = adyenGateway({ ...fakeAdyenSettings(fake.url), apiKey: 'wrong' }, PATIENT_MS)
  expect((await wrongKey.capture(payment)).outcome).toBe('unknown')
  const unreachable = adyenGateway(fakeAdyenSettings('http://127.0.0.1:9'), PATIENT_MS)
  expect((await unreachable.capture(payment)).outcome).toBe('unknown')
  expect((await unreachable.cancel(payment)).outcome).toBe('unknown')
  expect((await unreachable.authorise(request('approve'), cv2)).outcome).toBe('unknown')
  await wrongKey.close()
  await unreachable.close()
})

test.each([
  [['AUTHORISATION true'], 'held'],
  [['AUTHORISATION true', 'CAPTURE true', 'REPORT_AVAILABLE true'], 'captured'],
  [['AUTHORISATION true', 'CAPTURE true', 'CAPTURE_FAILED true'], 'failed'],
  [['AUTHORISATION true', 'CAPTURE false'], 'failed'],
  [['TECHNICAL_CANCEL true'], 'cancelled'],
  [['AUTHORISATION false', 'toString true'], null],
])('adyen is known from its notifications: %j mean %s', async (notified, state) => {
  const payment = { reference: 'r', gatewayReference: 'PSP 1', amount: 1000n, currency: 'GBP' }
  expect(await patient('adyen').lookUp(payment, notified)).toEqual({ outcome: 'notified', state })
})

test('a payment has its page in the Customer Area, of tests or live', async () => {
  const payment = { reference: 'r', gatewayReference: 'PSP&1', amount: 1000n, currency: 'GBP' }
  for (const [url, area] of [
    ['https://checkout-test.adyen.com', 'ca-test'],
    ['https://prefix-checkout-live.adyenpayments.com/checkout', 'ca-live'],
  ]) {
    const gateway = adyenGateway(fakeAdyenSettings(url as string), PATIENT_MS)
    const page = `https://${area}.adyen.com/ca/ca/accounts/showTx.shtml?txType=Payment&pspReference=PSP%261`
    expect(gateway.backOfficeLink(payment)).toBe(page)
    expect(gateway.backOfficeLink({ ...payment, gatewayReference: null })).toBeNull()
    await gateway.close()
  }
})

test('amounts are in the minor units of adyen', () => {
  expect([
    adyenUnits(1050n, 'GBP'),
    adyenUnits(1000n, 'JPY'),
    adyenUnits(1050n, 'JPY'),
    adyenUnits(1050n, 'KWD'),
  ]).toEqual([1050, 10, null, 10500])
  expect(adyenUnits(2n ** 60n, 'GBP')).toBeNull()
  expect([fromAdyenUnits(10, 'JPY'), fromAdyenUnits(10500, 'KWD'), fromAdyenUnits(10501, 'KWD')]).toEqual([
    1000n,
    1050n,
    null,
  ])
  expect([fromAdyenUnits(1050, 'GBP'), fromAdyenUnits('1050', 'GBP'), fromAdyenUnits(1.5, 'GBP')]).toEqual([
    1050n,
    null,
    null,
  ])
})
