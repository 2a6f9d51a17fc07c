// What must hold between the gateway's payments, the deposits and the answers to clients, whatever was killed.

/** `answer`: paid, a fault code, or none. */
export type Attempt = { key: string; answer: string }
export type Deposit = {
  paymentId: string
  customerId: string
  idempotencyKey: string | null
  amount: string
  state: string
  createdAt: string
}
/** As the gateway lists it. */
export type Payment = {
  reference: string
  amount: string
  state: string
  refunds?: readonly { reference: string; amount: string }[]
}
type Evidence = {
  attempts: Attempt[]
  deposits: Deposit[]
  payments: Payment[]
  limit: bigint
  /** Those whose capture the bank said to have failed, or to have been made although it was cancelled: persons decided. */
  captureTold?: ReadonlySet<string>
}

const units = (amount: string) => BigInt(amount.replace('.', ''))

export function violationsOf({ attempts, deposits, payments, limit, captureTold = new Set() }: Evidence): string[] {
  const found: string[] = []
  const captured = new Map(payments.filter(({ state }) => state === 'captured').map((one) => [one.reference, one]))
  const credited = new Map(deposits.filter(({ state }) => state === 'CAPTURED').map((one) => [one.paymentId, one]))
  for (const [id, payment] of captured) {
    const deposit = credited.get(id)
    if (deposit === undefined && captureTold.has(id)) continue
    if (deposit === undefined) found.push(`${id}: charged, not credited`)
    else if (units(deposit.amount) !== BigInt(payment.amount)) found.push(`${id}: charged another amount`)
  }
  for (const id of credited.keys()) if (!captured.has(id)) found.push(`${id}: credited, not charged`)
  for (const { reference, state } of payments) if (state === 'held') found.push(`${reference}: still held on the card`)
  for (const { paymentId, state } of deposits) {
    if (!['CAPTURED', 'DECLINED', 'VOIDED'].includes(state)) found.push(`${paymentId}: left ${state}`)
  }
  const byKey = new Map(deposits.map((one) => [one.idempotencyKey, one]))
  for (const { key, answer } of attempts) {
    const id = byKey.get(key)?.paymentId ?? ''
    const charged = captured.has(id)
    if (answer === 'paid' && !charged) found.push(`${key}: answered paid, not charged`)
    // 10000 says that the result is not known.
    if (!['paid', 'none', '10000'].includes(answer) && charged) found.push(`${key}: answered ${answer}, charged`)
  }
  return [...found, ...overTheLimit(credited.values(), limit)]
}

function overTheLimit(deposits: Iterable<Deposit>, limit: bigint): string[] {
  const days = new Map<string, bigint>()
  for (const { customerId, amount, createdAt } of deposits) {
    const day = `customer ${customerId} on ${createdAt.slice(0, 10)}`
    days.set(day, (days.get(day) ?? 0n) + units(amount))
  }
  return [...days].filter(([, sum]) => sum > limit).map(([day, sum]) => `${day}: deposited ${sum}, limit ${limit}`)
}
