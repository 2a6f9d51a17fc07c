// Deposits with idempotency keys. An order without a certain answer is repeated with its key, at the other instance too.

import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Attempt, type Deposit, type Payment, violationsOf } from '../torture/invariants.ts'
import { sleep } from '../torture/processes.ts'
import type { Cluster } from './cluster.ts'
import type { Answer, Instance } from './instances.ts'
import { until } from './until.ts'
import { type Member, newId } from './world.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname

/** docs/deposits.md says how the sandbox's bank behaves with each. */
const TOKENS = ['approve', 'approve', 'approve', 'slow-150', 'slow-1000', 'error-after']
const STILL_PROCESSING = '24011'
const PAUSE_MS = 500
/** A deposit that was interrupted is void after its lease and the grace period, 10 seconds. */
const MAX_REPETITION_MS = 60_000

/** The amount, in pence, is different for each order, so that the bank's payments show their order. */
type Order = { key: string; amount: number; member: Member; methodId: number }

export type DepositLoad = {
  orders: Map<string, Order>
  /** The certain answers, by key. */
  answers: Map<string, string>
  repeat(order: Order): Promise<string>
  stop(): Promise<void>
}

let lastAmount = 500

export async function startDepositing(
  instances: readonly Instance[],
  members: readonly Member[],
): Promise<DepositLoad> {
  const depositors = members.filter((_, index) => index % 2 === 1)
  const methods = await Promise.all(depositors.map(addCards))
  const orders = new Map<string, Order>()
  const answers = new Map<string, string>()
  let running = true

  async function send({ key, amount, member, methodId }: Order, turn: number): Promise<Answer> {
    const instance = instances[(member.instance.number + turn) % instances.length] as Instance
    const pounds = `${Math.floor(amount / 100)}.${`${amount % 100}`.padStart(2, '0')}`
    const body = new URLSearchParams({ transactionType: 'deposit', amount: pounds, id: `${methodId}`, cv2: '123' })
    return instance.call('POST', '/v1/wallets/me', {
      ticket: member.ticket,
      idempotencyKey: key,
      body,
      isDeposit: true,
    })
  }

  async function repeat(order: Order): Promise<string> {
    const end = performance.now() + MAX_REPETITION_MS
    for (let turn = 0; performance.now() < end; turn++) {
      const { status, body } = await send(order, turn)
      const code = status === 200 ? (body.whoFaults?.[0]?.faultCode ?? 'paid') : `${status}`
      if (status !== 503 && status !== 0 && code !== STILL_PROCESSING) return code
      await sleep(PAUSE_MS)
    }
    return 'none'
  }

  async function client(member: Member, cards: readonly number[]): Promise<void> {
    while (running) {
      const order = {
        key: `order-${newId()}`,
        amount: ++lastAmount,
        member,
        methodId: cards[randomInt(cards.length)] as number,
      }
      orders.set(order.key, order)
      answers.set(order.key, await repeat(order))
      await sleep(randomInt(200))
    }
  }

  const clients = depositors.map((member, index) => client(member, methods[index] as number[]))
  return {
    orders,
    answers,
    repeat,
    async stop() {
      running = false
      await Promise.all(clients)
    },
  }
}

async function addCards({ instance, customerId }: Member): Promise<number[]> {
  const cards: number[] = []
  for (const token of TOKENS) {
    const id = newId()
    await instance.operatorOk('PUT', `/customers/${customerId}/payment-methods/${id}`, {
      type: 'CARD',
      token: `sandbox:${token}`,
      limits: { minDeposit: '1.00', maxDeposit: '1000000.00' },
      card: { number: '411111******1111', expiryDate: '12/49', country: 'GB', scheme: 'VISA', funding: 'debit' },
    })
    cards.push(id)
  }
  return cards
}

export type MoneyResult = {
  /** Paid, and not in the database. */
  lost: string[]
  /** Orders with several rows. */
  doubled: string[]
  paidTwice: string[]
  /** Lost, and not in the list of `paddock reconcile`. */
  unreported: string[]
  violations: string[]
}

type Bank = { url: string; folder: string }

/** After the load: no deposit is in progress any more. */
export async function checkDeposits(cluster: Cluster, load: DepositLoad, bank: Bank): Promise<MoneyResult> {
  const keyOf = new Map([...load.orders.values()].map(({ amount, key }) => [`${amount}`, key]))
  const paymentsOfLoad = async () => (await paymentsAt(bank)).filter(({ amount }) => keyOf.has(amount))
  const keyOfPayment = ({ amount }: Payment) => keyOf.get(amount) as string
  const lost = await lostDeposits(cluster, load)
  const report = await reconcile(cluster, bank)
  const unreported = (await paymentsOfLoad()).filter(
    (payment) => lost.includes(keyOfPayment(payment)) && !report.includes(payment.reference),
  )
  // An application that lost its own state as well would send them again: they must be the same payments.
  await Promise.all(lost.map((key) => load.repeat(load.orders.get(key) as Order)))
  await untilDecided(cluster, load)

  const payments = await paymentsOfLoad()
  const deposits = await storedDeposits(cluster, load)
  const attempts: Attempt[] = [...load.answers].map(([key, answer]) => ({ key, answer }))
  return {
    lost: lost.map((key) => `deposit ${key}`),
    doubled: repetitions(deposits.map(({ idempotencyKey }) => `${idempotencyKey}`)),
    paidTwice: repetitions(payments.filter(({ state }) => state !== 'cancelled').map(keyOfPayment)),
    unreported: unreported.map(keyOfPayment),
    violations: violationsOf({ attempts, deposits, payments, limit: 10n ** 15n }),
  }
}

async function paymentsAt({ url }: Bank): Promise<Payment[]> {
  return (await (await fetch(`${url}/payments`)).json()) as Payment[]
}

/** Answered as paid, and not stored. */
async function lostDeposits(cluster: Cluster, load: DepositLoad): Promise<string[]> {
  const keys = new Set((await storedDeposits(cluster, load)).map(({ idempotencyKey }) => idempotencyKey))
  return [...load.answers].filter(([key, answer]) => answer === 'paid' && !keys.has(key)).map(([key]) => key)
}

/** What `paddock reconcile` prints, as an operator would run it. */
async function reconcile(cluster: Cluster, bank: Bank): Promise<string> {
  const file = join(bank.folder, 'payments.json')
  writeFileSync(file, JSON.stringify(await paymentsAt(bank)))
  const env = { PATH: process.env.PATH, DATABASE_URL: cluster.multiHostUrl, DATA_DIR: bank.folder }
  const command = promisify(execFile)(process.execPath, [main, 'reconcile', file], { env, maxBuffer: 10 ** 8 })
  // Exit code 1: there are breaks.
  const { stdout, stderr } = await command.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

/** What is still open is a violation. */
async function untilDecided(cluster: Cluster, load: DepositLoad): Promise<void> {
  await until('', async () => (await inProgress(cluster, load)).length === 0, 40).catch(() => {})
}

async function inProgress(cluster: Cluster, load: DepositLoad): Promise<Deposit[]> {
  const deposits = await storedDeposits(cluster, load)
  return deposits.filter(({ state }) => ['AUTHORISING', 'AUTHORISED', 'VOIDING'].includes(state))
}

function storedDeposits(cluster: Cluster, { orders }: DepositLoad): Promise<Deposit[]> {
  return cluster.queryPrimary(
    `select id as "paymentId", cast(customer_id as text) as "customerId", idempotency_key as "idempotencyKey",
       cast(amount as text) as amount, state, '2000-01-01' as "createdAt"
     from deposit where idempotency_key = any($1)`,
    [[...orders.keys()]],
  )
}

export function repetitions(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return values.filter((one) => {
    if (!seen.has(one)) {
      seen.add(one)
      return false
    }
    return true
  })
}
