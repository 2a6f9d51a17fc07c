// A customer for each schedule: those of one collision are alike but for their ids.

import { putCustomer } from '../../src/identity/customers/customer.ts'
import { registerMethod } from '../../src/wallets/cards/register.ts'
import type { NewMethod } from '../../src/wallets/cards/store.ts'
import { finishCaptures } from '../../src/wallets/deposits/captures.ts'
import { referenceOf } from '../../src/wallets/payment-reference.ts'
import { NOW } from './context.ts'
import { type Operation, play } from './operations.ts'
import type { World } from './world.ts'

const API_KEY = 'interleavings'
const MINUTE_MS = 60_000
/** Of what happens before a schedule, a minute apart. */
const MOST_BEFORE = 60

export class Customer {
  readonly world: World
  readonly id: number

  constructor(world: World, id: number) {
    this.world = world
    this.id = id
  }

  /** Cards have numbers from 1 to 9. */
  card(number: number): number {
    return this.id * 10 + number
  }

  /** The id of the deposit with this key. */
  deposit(key: string): string {
    return referenceOf(this.key(key))
  }

  key(key: string): { readonly apiKey: string; readonly idempotencyKey: string; readonly customerId: number } {
    return { customerId: this.id, apiKey: API_KEY, idempotencyKey: `${this.id}-${key}` }
  }

  /** The first one. */
  withdrawal(): Promise<number> {
    return this.#first('withdrawal')
  }

  refund(): Promise<number> {
    return this.#first('refund')
  }

  dispute(): Promise<number> {
    return this.#first('dispute')
  }

  async #first(table: string): Promise<number> {
    const sql = `select id from ${table} where customer_id = $1 order by id limit 1`
    const { rows } = await this.world.control.query(sql, [this.id])
    return Number(rows[0]?.id)
  }

  /** Before the schedule. Throws where it is refused. */
  async does(operation: Operation): Promise<void> {
    this.world.clock.now += MINUTE_MS
    await play(operation, this.world.context)
  }

  /** A captured deposit. */
  async pays(key: string, amount: bigint, card = 1): Promise<void> {
    await this.does({ name: 'deposit', order: { ...this.key(key), amount, methodId: this.card(card) } })
    const { context, bank, clock } = this.world
    const id = this.deposit(key)
    await bank.capture({ reference: id, gatewayReference: null, amount, currency: 'GBP' })
    await context.database.transaction((tx) => finishCaptures(tx, [id], 'captured', clock.now))
  }
}

export type CardOptions = { readonly token?: string; readonly firstName?: string | null }

/** Without a first name it takes no payouts. */
export function newCard({ token = 'sandbox:approve', firstName = 'Ada' }: CardOptions = {}): NewMethod {
  return {
    type: 'CARD',
    token,
    min_deposit: 1n,
    max_deposit: 100_000_000n,
    card_number: '411111******1111',
    issue_date: null,
    expiry_date: '12/49',
    country: 'GB',
    scheme: 'VISA',
    funding: 'debit',
    first_name: firstName,
    last_name: 'Byron',
  }
}

let customers = 0

export async function newCustomer(world: World, cards: readonly CardOptions[]): Promise<Customer> {
  const { context, clock } = world
  clock.now = NOW - MOST_BEFORE * MINUTE_MS
  const customer = new Customer(world, ++customers)
  const { id } = customer
  await putCustomer(context.database, id, { currency: 'GBP', firstName: 'Ada', lastName: 'Byron' }, clock.now)
  await context.database.transaction(async (tx) => {
    for (const [index, card] of cards.entries()) {
      await registerMethod(tx, { id: customer.card(index + 1), customerId: id }, newCard(card), clock.now)
    }
  })
  return customer
}
