// Who counts as whom where two persons decide about money. Shown with adjustments that credit more than one person may in a day: the
// first person proposes one, the same from another person applies it.

import { describe, expect, test } from 'vitest'
import { beginConsoleSession } from '../../src/identity/operators/console-sessions.ts'
import type { Operator } from '../../src/identity/operators/operator.ts'
import { actorOf } from '../../src/identity/operators/person.ts'
import { operatorByToken } from '../../src/identity/operators/tokens.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import { move, movementLine, newReference, sendLines } from '../harness/movements.ts'
import { operatorNamed } from '../harness/operators.ts'
import { captured } from '../harness/refunds.ts'
import {
  OPERATOR_TOKEN,
  type OperatorReply,
  startTestService,
  type TestService,
  useService,
} from '../harness/service.ts'
import { waitingWithdrawal } from '../harness/withdrawals.ts'

const OPENID = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'paddock',
  OIDC_ROLES: 'admins=admin',
  OPERATOR_URL: 'https://operator.example',
}
const service = useService(OPENID)

type Caller = (method: string, path: string, body?: unknown) => Promise<OperatorReply>

const withToken =
  (token: string, at: TestService = service): Caller =>
  (method, path, body) =>
    at.operator(method, path, body, token)

const bootstrap = withToken(OPERATOR_TOKEN)

async function newToken(by: Caller, owner: string | undefined): Promise<Caller> {
  const reply = await by('POST', '/operator/v1/tokens', { name: newReference(), role: 'admin', owner })
  expect(reply.status).toBe(201)
  return withToken(reply.body.token)
}

/** By a cookie, as the console sends it. */
async function signedIn(name: string, subject: string, at: TestService = service): Promise<Caller> {
  const { database, now } = at.context
  const secret = await beginConsoleSession(database, { name, role: 'admin', subject }, now())
  return async (method, path, body) => {
    const reply = await fetch(at.operatorUrl + path, {
      method,
      headers: {
        cookie: `__Host-paddock-console=${secret}`,
        'x-requested-by': 'console',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }
}

/** Whether these two are two persons. */
async function areTwo(first: Caller, second: Caller): Promise<boolean> {
  const { id } = await service.customer()
  const movement = { reference: newReference(), customerId: `${id}`, kind: 'adjustment', amount: '1000.01' }
  const balanceAfter = async (by: Caller) => {
    await by('POST', '/operator/v1/movements', movement)
    return (await service.operator('GET', `/operator/v1/customers/${id}`)).body.balance
  }
  expect(await balanceAfter(first)).toBe('0.00')
  const repeated = await first('POST', '/operator/v1/movements', movement)
  expect([repeated.status, repeated.body.detail]).toEqual([409, expect.stringContaining('another person confirms it')])
  return (await balanceAfter(second)) === '1000.01'
}

describe('a token counts as its owner', () => {
  test.each([
    ['Ann Archer', 'Bob Baines', true],
    ['Ann Archer', 'ann  archer', false],
    ['Ann Archer', 'AnnArcher', false],
    // Cyrillic А and е.
    ['Ann Archer', 'Аnn Archеr', false],
    ['Ann\u200b Archer', 'Ann Archer', false],
  ])('%j and %j are two persons: %j', async (one, other, two) => {
    expect(await areTwo(await operatorNamed(service, one), await operatorNamed(service, other))).toBe(two)
  })

  test('without an owner as the one person who all such tokens are, that of the settings too', async () => {
    const [first, second] = [await newToken(bootstrap, undefined), await newToken(bootstrap, undefined)]
    expect(await areTwo(first, second)).toBe(false)
    expect(await areTwo(bootstrap, first)).toBe(false)
    expect(await areTwo(bootstrap, await operatorNamed(service, 'Ann'))).toBe(true)
  })

  test('unless a person has created it, who could act with it', async () => {
    const ann = await operatorNamed(service, 'Ann')
    const [asBob, asNobody] = [await newToken(ann, 'Bob'), await newToken(ann, undefined)]
    expect(await areTwo(ann, asBob)).toBe(false)
    expect(await areTwo(ann, asNobody)).toBe(false)
    expect(await areTwo(ann, await newToken(asBob, 'Carol'))).toBe(false)
    expect(await areTwo(asBob, await operatorNamed(service, 'Bob'))).toBe(true)
    const person = await signedIn('dora@example.com', 'dora')
    expect(await areTwo(person, await newToken(person, 'Bob'))).toBe(false)
  })

  test('unless a token without an owner has created it, which could act with all that it has created', async () => {
    const nobody = await newToken(bootstrap, undefined)
    const [ann, bob] = [await newToken(nobody, 'Ann'), await newToken(nobody, 'Bob')]
    expect(await areTwo(nobody, ann)).toBe(false)
    expect(await areTwo(ann, bob)).toBe(false)
    expect(await areTwo(await newToken(ann, 'Carol'), bob)).toBe(false)
    expect(await areTwo(await operatorNamed(service, 'Ann'), ann)).toBe(true)
  })

  test('and gives no second approval of a withdrawal or a refund that its creator began', async () => {
    const nobody = await newToken(bootstrap, undefined)
    const { id } = await waitingWithdrawal(service)
    const approve = (by: Caller) => by('POST', `/operator/v1/withdrawals/${id}/approval`)
    expect((await approve(nobody)).status).toBe(200)
    expect((await approve(await newToken(nobody, 'Bob'))).status).toBe(409)
    expect((await approve(await operatorNamed(service, 'Bob'))).body.state).toBe('APPROVED')
    const ann = await operatorNamed(service, 'Ann')
    const { paymentId } = await captured(service, 'sandbox:approve', '1200.00')
    const refund = { amount: '1100.00', reason: 'sent twice' }
    const { body } = await ann('POST', `/operator/v1/deposits/${paymentId}/refunds`, refund)
    expect(body.waitsFor).toBe('another person')
    const approval = `/operator/v1/refunds/${body.id}/approval`
    expect((await (await newToken(ann, 'Bob'))('POST', approval)).status).toBe(409)
    expect((await (await operatorNamed(service, 'Bob'))('POST', approval)).status).toBe(200)
  })

  test('the list shows the owner and who created it; an owner needs a visible character', async () => {
    const body = { name: newReference(), role: 'admin', owner: 'Ann Archer' }
    await service.operator('POST', '/operator/v1/tokens', body)
    const { items } = (await service.operator('GET', '/operator/v1/tokens')).body
    expect(items).toContainEqual(expect.objectContaining({ ...body, createdBy: 'bootstrap' }))
    const refused = await service.operator('POST', '/operator/v1/tokens', { ...body, owner: '\u200b ' })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ pointer: '/owner', detail: 'must have a visible character' }],
    ])
  })

  test('of an earlier version as its owner', async () => {
    const { token } = await operatorNamed(service, 'Erin')
    const { database } = service.context
    await database.script(`update operator_token set created_by = null, created_by_person = null where owner = 'Erin'`)
    const operator = await operatorByToken(service.context, token)
    expect(operator === null ? null : actorOf(operator).person).toBe('erin')
    await database.script(
      `update operator_token set created_by = 'a token', created_by_person = null where owner = 'Erin'`,
    )
    expect(actorOf((await operatorByToken(service.context, token)) as Operator).person).toBe('token')
  })
})

describe('who signs in', () => {
  test('is one person, also under another name', async () => {
    const [before, after] = [await signedIn('frank@example.com', 'f'), await signedIn('frank.new@example.com', 'f')]
    expect(await areTwo(before, after)).toBe(false)
    expect(await areTwo(before, await signedIn('gina@example.com', 'g'))).toBe(true)
  })

  test('is one person with the tokens that name them as their owner, and with people of the same name', async () => {
    const hana = await signedIn('hana@example.com', 'h')
    expect(await areTwo(hana, await operatorNamed(service, 'Hana@example.com'))).toBe(false)
    expect(await areTwo(hana, await signedIn('hana@example.com', 'another h'))).toBe(false)
  })
})

test('the calls that decide about money are known as such', () => {
  const decisions = operatorOperations.filter(({ decides }) => decides).map(({ name }) => name)
  expect(decisions.sort()).toEqual([
    ...['approveRefund', 'approveWithdrawal', 'endDispute', 'holdWithdrawal', 'recordAccountClosure'],
    ...[
      'recordOutsidePayment',
      'recordOutsideReturn',
      'refundDeposit',
      'refuseRefund',
      'refuseWithdrawal',
      'releaseWithdrawal',
    ],
    ...['requestWithdrawal', 'resolveDeposit', 'resolveRefund', 'resolveWithdrawal', 'settleNotification'],
    ...['withdrawMoneyProposal', 'writeOffDebt'],
  ])
})

describe('in production with OpenID', () => {
  const PRODUCTION = {
    ...OPENID,
    ...{ MODE: 'production', TRUST_PROXY: '10.1.1.1', GATEWAY: 'adyen', ADYEN_API_KEY: 'key' },
    ...{ ADYEN_MERCHANT_ACCOUNT: 'account', ADYEN_HMAC_KEY: '0f'.repeat(32) },
    ADYEN_URL: 'https://1a2b-checkout-live.adyenpayments.com/checkout',
    OPERATOR_TOKEN: '3f9c0e7ab14d5286c8fe0a917d4b62e5',
  }

  async function inProduction(settings: Record<string, string>, work: (at: TestService) => Promise<void>) {
    const at = await startTestService({ ...PRODUCTION, ...settings })
    const operator: TestService['operator'] = (method, path, body, token = PRODUCTION.OPERATOR_TOKEN) =>
      at.operator(method, path, body, token)
    try {
      await work({ ...at, operator })
    } finally {
      await at.close()
    }
  }

  test('tokens decide nothing about money; stakes and winnings are theirs', async () => {
    await inProduction({}, async (at) => {
      const { id } = await at.customer()
      const ann = await operatorNamed(at, 'Ann')
      const moved = (kind: 'stake' | 'winnings' | 'adjustment', amount: string) =>
        move({ operator: ann }, { reference: newReference(), customerId: id, kind, amount })
      expect([(await moved('winnings', '20.00')).status, (await moved('stake', '5.00')).status]).toEqual([201, 201])
      expect((await moved('adjustment', '-1.00')).status).toBe(201)
      const advice = expect.stringMatching(/sign in to the console, or set MONEY_BY_TOKENS=yes/)
      const adjusted = await moved('adjustment', '1.00')
      expect([adjusted.status, adjusted.body.detail]).toEqual([409, advice])
      const line = movementLine({ reference: newReference(), customerId: id, kind: 'adjustment', amount: '1.00' })
      expect((await sendLines(at, [line])).refusals).toEqual([{ line: 1, reason: advice }])
      const refund = await ann('POST', '/operator/v1/deposits/x/refunds', { amount: '1.00', reason: 'x' })
      expect([refund.status, refund.body.detail]).toEqual([403, advice])
      const calls = async (by: Caller) => (await by('GET', '/operator/v1/me')).body.calls as string[]
      const decisions = ['POST /deposits/{paymentId}/refunds', 'POST /withdrawals/{id}/approval']
      expect((await calls(ann)).filter((one) => decisions.includes(one))).toEqual([])
      expect((await at.operator('GET', `/operator/v1/customers/${id}`)).body.balance).toBe('14.00')

      const person = await signedIn('ann@example.com', 'a', at)
      expect(await calls(person)).toEqual(expect.arrayContaining(decisions))
      const adjustment = { reference: newReference(), customerId: `${id}`, kind: 'adjustment', amount: '1.00' }
      expect((await person('POST', '/operator/v1/movements', adjustment)).status).toBe(201)
      // Applied before: nothing is decided.
      expect((await ann('POST', '/operator/v1/movements', adjustment)).status).toBe(200)
    })
  })

  test('tokens decide with MONEY_BY_TOKENS=yes', async () => {
    await inProduction({ MONEY_BY_TOKENS: 'yes' }, async (at) => {
      const { id } = await at.customer()
      const [ann, bob] = [await operatorNamed(at, 'Ann'), await operatorNamed(at, 'Bob')]
      const movement = { reference: newReference(), customerId: id, kind: 'adjustment', amount: '1000.01' } as const
      await move({ operator: ann }, movement)
      expect((await move({ operator: bob }, movement)).body.balance).toBe('1000.01')
      const refund = await ann('POST', '/operator/v1/deposits/x/refunds', { amount: '1.00', reason: 'x' })
      expect(refund.status).toBe(404)
    })
  })

  test('OPERATOR_TOKEN hands out tokens, and decides nothing', async () => {
    await inProduction({ MONEY_BY_TOKENS: 'yes' }, async (at) => {
      const { id } = await at.customer()
      const adjusted = await move(at, { reference: newReference(), customerId: id, kind: 'adjustment', amount: '1.00' })
      const advice = expect.stringContaining('create a token with an owner')
      expect([adjusted.status, adjusted.body.detail]).toEqual([409, advice])
      const refund = await at.operator('POST', '/operator/v1/deposits/x/refunds', { amount: '1.00', reason: 'x' })
      expect([refund.status, refund.body.detail]).toEqual([403, advice])
    })
  })
})
