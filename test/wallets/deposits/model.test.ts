// Compares the service over HTTP with a small model of deposits: limits, keys, refusals, changes while the
// gateway decides, and sweeping. Where they differ,
// fast-check shrinks the commands to the shortest list that shows it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { balanceOf } from '../../../src/wallets/account/ledger.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { propertyRuns } from '../../harness/property-runs.ts'
import { type TestCustomer, useService } from '../../harness/service.ts'
import { addCard, deposit, ledgerProblems, paidOrFaultCode, slowGateway } from '../../harness/wallets.ts'

const gateway = slowGateway()
const service = useService({ GATEWAY_TIMEOUT_MS: '50', VOID_GRACE_SECONDS: '5' }, { gateway: gateway.observe })
const LIMIT = 10_000
const MIN = 500
const MAX = 6_000
const CARDS = {
  approve: 'paid',
  decline: '24005',
  'insufficient-funds': '24007',
  'error-after': '24005',
  'capture-refused': 'paid',
} as const
type CardName = keyof typeof CARDS

/** What happens while the gateway decides, and the fault of a deposit that it approves nevertheless. */
const CHANGES = { nothing: 'paid', unverify: '24004', 'close card': '24001', 'lower limit': '24008' } as const
type Change = keyof typeof CHANGES

/** `uncapturable`: of the balance, what a sweep takes back. */
type Model = {
  used: number
  balance: number
  uncapturable: number
  keys: Map<string, { amount: number; card: CardName; code: string }>
}
type Real = { customer: TestCustomer; cards: Record<CardName, number> }

const money = (pennies: number) => (pennies / 100).toFixed(2)

class Deposit implements fc.AsyncCommand<Model, Real> {
  readonly amount: number
  readonly card: CardName
  readonly key: string | undefined
  readonly change: Change
  constructor(amount: number, card: CardName, key: string | undefined, change: Change) {
    this.amount = amount
    this.card = card
    this.key = key
    this.change = change
  }

  check = () => true

  async run(model: Model, real: Real): Promise<void> {
    const tooLow = model.used + this.amount - 1
    gateway.meanwhile(() => this.apply(real, tooLow))
    const { expected, replayed } = this.expect(model)
    const { ticket } = real.customer
    const amount = money(this.amount)
    const keyed = this.key === undefined ? {} : { key: this.key }
    const reply = await deposit(service, { ticket, method: real.cards[this.card], amount, ...keyed })
    expect([paidOrFaultCode(reply), reply.headers.get('idempotent-replayed')]).toEqual([
      expected,
      replayed ? 'true' : null,
    ])
    await this.undo(real)
    const balance = await balanceOf(service.context.database, real.customer.id, 'GBP')
    expect(balance).toBe(BigInt(model.balance))
  }

  private async apply(real: Real, tooLow: number): Promise<void> {
    const customer = `/operator/v1/customers/${real.customer.id}`
    if (this.change === 'unverify') await service.operator('PUT', customer, { verified: false })
    if (this.change === 'lower limit') await service.operator('PUT', customer, { dailyDepositLimit: money(tooLow) })
    if (this.change === 'close card') await service.operator('POST', this.closure(real), { reason: 'lost' })
  }

  private async undo(real: Real): Promise<void> {
    const same = { verified: true, dailyDepositLimit: money(LIMIT) }
    if (this.change !== 'nothing') await service.operator('PUT', `/operator/v1/customers/${real.customer.id}`, same)
    if (this.change === 'close card') await service.operator('DELETE', this.closure(real))
  }

  private closure(real: Real): string {
    return `/operator/v1/customers/${real.customer.id}/payment-methods/${real.cards[this.card]}/closure`
  }

  private expect(model: Model): { expected: string; replayed: boolean } {
    const earlier = this.key === undefined ? undefined : model.keys.get(this.key)
    if (earlier !== undefined) {
      const same = earlier.amount === this.amount && earlier.card === this.card
      return same ? { expected: earlier.code, replayed: true } : { expected: '10071', replayed: false }
    }
    if (this.amount < MIN) return { expected: '24002', replayed: false }
    if (this.amount > MAX) return { expected: '24003', replayed: false }
    if (model.used + this.amount > LIMIT) return { expected: '24008', replayed: false }
    const code = CARDS[this.card] === 'paid' ? CHANGES[this.change] : CARDS[this.card]
    if (this.key !== undefined) model.keys.set(this.key, { amount: this.amount, card: this.card, code })
    if (code === 'paid') {
      model.used += this.amount
      model.balance += this.amount
      if (this.card === 'capture-refused') model.uncapturable += this.amount
    }
    return { expected: code, replayed: false }
  }

  toString = () =>
    `deposit ${this.amount} with ${this.card}${this.key === undefined ? '' : ` key ${this.key}`}, ${this.change}`
}

/** Captures and cancels change nothing that customers see; what cannot be captured is debited again. */
class Sweep implements fc.AsyncCommand<Model, Real> {
  check = () => true
  async run(model: Model, { customer }: Real): Promise<void> {
    await sweep(service.context)
    model.balance -= model.uncapturable
    model.uncapturable = 0
    expect(await balanceOf(service.context.database, customer.id, 'GBP')).toBe(BigInt(model.balance))
    expect(await ledgerProblems(service)).toEqual([])
  }
  toString = () => 'sweep'
}

const amounts = fc.oneof(fc.integer({ min: 0, max: 7_000 }), fc.constantFrom(MIN - 1, MIN, MAX, MAX + 1, LIMIT / 2))
const commands = fc.commands(
  [
    fc
      .tuple(
        amounts,
        fc.constantFrom(...(Object.keys(CARDS) as CardName[])),
        fc.constantFrom(undefined, undefined, 'a', 'b'),
        fc.constantFrom<Change[]>('nothing', 'nothing', 'nothing', 'unverify', 'close card', 'lower limit'),
      )
      .map((parts) => new Deposit(...parts)),
    fc.constant(new Sweep()),
  ],
  { maxCommands: 12 },
)

test('the service agrees with the model of deposits', async () => {
  const setup = async () => {
    const customer = await service.customer({ dailyDepositLimit: BigInt(LIMIT) })
    const cards = {} as Record<CardName, number>
    for (const name of Object.keys(CARDS) as CardName[]) {
      cards[name] = await addCard(service, customer, { token: `sandbox:${name}`, min: '5.00', max: '60.00' })
    }
    return { model: { used: 0, balance: 0, uncapturable: 0, keys: new Map() }, real: { customer, cards } }
  }
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const { model, real } = await setup()
      await fc.asyncModelRun(() => ({ model, real }), list)
    }),
    { numRuns: propertyRuns(30) },
  )
})
