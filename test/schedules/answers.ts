// What a request must be answered, by what is stored when its transaction begins: the rules of docs/withdrawals.md, refunds.md and
// deposits.md, written a second time.

import type { Config } from '../../src/platform/config/config.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import {
  type Books,
  balanceOf,
  isCaptured,
  isOut,
  isUncaptured,
  type Row,
  readBooks,
  returnedOf,
  sum,
  wealthOf,
} from './books.ts'
import type { Played } from './played.ts'
import type { Process } from './process.ts'
import { APPROVED_UP_TO } from './world.ts'

type Question = {
  readonly what: string
  readonly work: (context: WalletsContext) => Promise<string>
  /** null: whatever is answered. */
  readonly expected: (books: Books) => string | null
}

/** Returns the answer, 'none' if the process was killed. One that is not as expected is a violation. */
export async function ask(process: Process, played: Played, { what, work, expected }: Question): Promise<string> {
  const { world, customerId, found } = played
  let due: Promise<string | null> | undefined
  const answer = await process.run(work, async () => {
    // The first transaction decides; a deposit has another one, for the bank's decision.
    due ??= readBooks(world, customerId, process.context.now()).then(expected)
    await due
  })
  const expectation = (await due) ?? null
  if (answer !== 'none' && expectation !== null && answer !== expectation)
    found.push(`${what} was answered ${answer}, not ${expectation}`)
  return answer
}

const DAY_MS = 86_400_000
const isToday = (books: Books) => (row: Row) => Math.floor(row.at / DAY_MS) === Math.floor(books.now / DAY_MS)

function mayPlay({ customer, now }: Books): boolean {
  return customer.state === 'active' && customer.amount === '1' && customer.at <= now
}

type Order = { readonly key: string; readonly methodId: number; readonly amount: bigint }

type DepositSettings = Pick<Config['wallets'], 'refuseDepositsWithDebt' | 'dailyDepositLimit'>

/** Only what is certain before the bank is asked. */
export function depositAnswer(books: Books, order: Order, settings: DepositSettings): string | null {
  const { key, methodId, amount } = order
  const deposits = books.of('deposit')
  const earlier = deposits.find((one) => one.key === key)
  if (earlier !== undefined) return isOrder(earlier, { methodId, amount }) ? null : '10071'
  if (!mayPlay(books) || (settings.refuseDepositsWithDebt && wealthOf(books) < 0n)) return '24004'
  if (deposits.some(({ state }) => state === 'AUTHORISING' || state === 'CHALLENGE')) return '24011'
  const failed = ['DECLINED', 'VOIDING', 'VOIDED']
  const counted = deposits.filter(isToday(books)).filter(({ state }) => !failed.includes(state))
  return sum(counted) + amount > settings.dailyDepositLimit ? '24008' : null
}

function isOrder(row: Row, { methodId, amount }: Omit<Order, 'key'>): boolean {
  return row.of === `${methodId}` && BigInt(row.amount) === amount
}

/** The state of the withdrawal, or the fault. `by`: the operator who asks for it. */
export function withdrawalAnswer(books: Books, { key, methodId, amount }: Order, by: string | null): string {
  const earlier = books.of('withdrawal').find((one) => one.key === `${by ?? ''}/${key}`)
  if (earlier !== undefined) return isOrder(earlier, { methodId, amount }) ? earlier.state : '10071'
  if (!books.of('card').some(({ id }) => id === `${methodId}`)) return '24001'
  if (amount > balanceOf(books)) return '24007'
  if (amount > mostTo(books, `${methodId}`)) return '24003'
  const today = sum(books.of('withdrawal').filter(isToday(books)).filter(isOut)) + amount
  return by === null && mayPlay(books) && today <= APPROVED_UP_TO ? 'APPROVED' : 'REQUESTED'
}

/** By the sentences of the documents: what may go to this card now. */
function mostTo(books: Books, card: string): bigint {
  const deposits = books.of('deposit')
  const used = deposits.filter(isCaptured)
  const openOf = (one: string) => {
    const paidIn = used.filter(({ of }) => of === one)
    const returned = deposits.filter(({ of }) => of === one).map(({ id }) => returnedOf(books, id))
    const out = books.of('withdrawal').filter((row) => row.of === one && isOut(row))
    return sum(paidIn) - returned.reduce((total, amount) => total + amount, 0n) - sum(out)
  }
  const firstUse = (one: string) => used.findIndex(({ of }) => of === one)
  const others = [...new Set(used.map(({ of }) => of as string))].filter((one) => one !== card && openOf(one) > 0n)
  const available = balanceOf(books) - sum(deposits.filter(isUncaptured))
  if (others.length === 0 && used.at(-1)?.of === card) return available
  if (firstUse(card) < 0) return 0n
  const older = others.filter((one) => firstUse(one) < firstUse(card))
  const left = older.reduce((rest, one) => rest - openOf(one), available)
  return left < openOf(card) ? left : openOf(card)
}

type RefundOrder = { readonly payment: string; readonly amount: bigint; readonly seen: bigint | undefined }

/** `seen`: what had been returned when the operator looked. */
export function refundAnswer(books: Books, { payment, amount, seen }: RefundOrder): string {
  const deposit = books.of('deposit').find(({ id }) => id === payment)
  if (deposit === undefined || !isCaptured(deposit)) return 'refused'
  const returned = returnedOf(books, payment)
  if (seen !== undefined && seen !== returned) return 'refused'
  if (books.of('refund').some((row) => row.of === payment && row.state === 'REQUESTED')) return 'refused'
  return amount > BigInt(deposit.amount) - returned || amount > balanceOf(books) ? 'refused' : 'accepted'
}

type Terms = { readonly reference: string; readonly kind: string; readonly amount: bigint }

/** One word for each movement of a batch. */
export function movementAnswers(books: Books, batch: readonly Terms[]): string {
  const known = new Map(books.of('movement').map((row) => [row.id, `${row.of} ${row.amount}`]))
  const isExcluded = books.customer.state === 'self-excluded' || books.customer.at > books.now
  let wealth = wealthOf(books)
  const answers = batch.map(({ reference, kind, amount }) => {
    if (amount < 0n && kind !== 'adjustment') return 'refused'
    const terms = known.get(reference)
    if (terms !== undefined) return terms === `${kind} ${amount}` ? 'repeated' : 'refused'
    if (kind === 'stake' && isExcluded) return 'refused'
    const change = kind === 'stake' ? -amount : amount
    if (change < 0n && wealth + change < 0n) return 'refused'
    wealth += change
    known.set(reference, `${kind} ${amount}`)
    return 'applied'
  })
  return answers.join(', ')
}
