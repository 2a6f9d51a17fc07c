// The sandbox has a card for every result of a refund and of a payout, which the documents and the showcase name.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TEST_CARDS } from '../../showcase/src/test-cards.ts'
import { SANDBOX, SANDBOX_CUSTOMERS } from '../../src/sandbox/world/customers.ts'
import { PAYOUT_TOKENS } from '../../src/wallets/gateways/sandbox/payout-tokens.ts'
import { REFUND_TOKENS } from '../../src/wallets/gateways/sandbox/refunds.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { refund, refundStates, sweepUntilRefunds, tell } from '../harness/refunds.ts'
import { useService } from '../harness/service.ts'
import { deposit, paidOrFaultCode, sweepUntil } from '../harness/wallets.ts'
import { payIn, sweepUntilPaid, withdrawn } from '../harness/withdrawals.ts'

const service = useService({ SANDBOX_SEED: 'people', GATEWAY_TIMEOUT_MS: '1000', REVIEW_AFTER_SECONDS: '60' })
const [, bob, carol] = SANDBOX_CUSTOMERS

const cardOf = (token: string) => SANDBOX.cards.find((card) => card.token === token)
const readDocument = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

test.each([
  ...PAYOUT_TOKENS.map((token) => [token, 'withdrawals.md', 'withdrawals'] as const),
  ...REFUND_TOKENS.map((token) => [token, 'refunds.md', 'refunds'] as const),
])('%s is in the documents and in the showcase', (token, document, takes) => {
  const card = cardOf(token)
  expect(readDocument(document)).toMatch(new RegExp(`^\\| ${card?.id} \\| (bob|carol) \\| \`${token}\` \\|`, 'm'))
  expect(readDocument('deposits.md')).toContain(`\`${token}\``)
  expect(TEST_CARDS.find(({ id }) => id === card?.id)).toMatchObject({ code: null, takes })
})

const PAYOUTS: Record<string, string> = {
  'sandbox:payout-slow': 'PAID',
  'sandbox:payout-returned': 'RETURNED',
  'sandbox:payout-refused': 'RETURNED',
  'sandbox:payout-unknown': 'PAID',
  'sandbox:payout-silent': 'REVIEW',
  'sandbox:payout-unfunded': 'PAID',
  'sandbox:account-closed': 'RETURNED',
  'sandbox:return-refused': 'RETURNED',
}

test('a withdrawal to each of these cards ends as the documents say', async () => {
  expect(Object.keys(PAYOUTS)).toEqual(PAYOUT_TOKENS)
  for (const [token, state] of Object.entries(PAYOUTS)) {
    const card = cardOf(token)?.id as number
    await payIn(service, { id: 2, ticket: bob.ticket }, card)
    const id = await withdrawn(service, { ticket: bob.ticket, card, amount: '20.00' })
    await sweep(service.context)
    if (state === 'REVIEW') service.clock.advance(service.context.config.wallets.reviewAfterMs)
    await sweepUntilPaid(service, id, state)
  }
  // The deposit cannot be returned: requested again, it is paid out.
  const card = cardOf('sandbox:return-refused')?.id as number
  await sweepUntilPaid(service, await withdrawn(service, { ticket: bob.ticket, card, amount: '20.00' }), 'PAID')
})

test('a refund to each of these cards ends as the documents say', async () => {
  const made: string[] = []
  for (const [token, states] of Object.entries({
    'sandbox:refund-slow': ['SENT'],
    'sandbox:refund-failed': ['FAILED'],
    'sandbox:refund-unknown': ['DONE'],
  })) {
    const method = cardOf(token)?.id as number
    const reply = await deposit(service, { ticket: carol.ticket, method, amount: '20.00' })
    expect(paidOrFaultCode(reply)).toBe('paid')
    made.push('CAPTURED')
    await sweepUntil(service, 3, made)
    const { paymentId } = reply.json().whoWallets
    expect((await refund(service, paymentId, '5.00')).status).toBe(201)
    await sweepUntilRefunds(service, paymentId, states)
    if (token !== 'sandbox:refund-slow') continue
    await tell(service, paymentId, 'REFUND')
    expect(await refundStates(service, paymentId)).toEqual(['DONE'])
  }
})
