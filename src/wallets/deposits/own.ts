import { formatMoney } from '../../platform/runtime/money.ts'
import type { WalletsContext } from '../context.ts'
import { type OwnDepositRow, ownDeposits } from './list-store.ts'
import type { DepositList } from './shapes.ts'
import { statusOf } from './status.ts'
import { codeOf } from './why.ts'

type Block = { readonly blockSize: number; readonly blockNum: number }

/** Newest first, those that failed too. null: the block is empty. */
export async function listOwnDeposits(
  { database }: WalletsContext,
  customerId: number,
  { blockSize, blockNum }: Block,
): Promise<DepositList | null> {
  const rows = await database.query(ownDeposits, { customerId, limit: blockSize, offset: blockNum * blockSize })
  return rows.length === 0 ? null : { deposits: rows.map(toListed) }
}

function toListed(row: OwnDepositRow): DepositList['deposits'][number] {
  return {
    paymentId: row.id,
    amount: formatMoney(BigInt(row.amount)),
    currency: row.currency,
    methodId: row.payment_method_id,
    status: statusOf(row),
    isInReview: row.state === 'REVIEW',
    createdDateTimeZoned: row.created_at,
    challengeUntilDateTimeZoned: row.state === 'CHALLENGE' ? (row.lease_until ?? undefined) : undefined,
    reason: codeOf(row.fault) ?? undefined,
    limitPeriod: row.limit_period ?? undefined,
  }
}
