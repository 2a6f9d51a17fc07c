import { type FaultKind, faultTable } from '../../faults.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import type { StatisticsContext } from './days.ts'
import { lastDates, readDaysBefore, readLastDays } from './days.ts'
import { type DepositsRow, depositsOnDay } from './store.ts'

/**
 * Deposits that were decided on each of the last days. One that was approved and later voided by an operator counts as
 * neither approved nor refused.
 */
export async function readDepositStatistics(context: StatisticsContext, days: number) {
  const rowsByDay = await readLastDays(context, depositsOnDay, days)
  const rowsBefore = await readDaysBefore(context, depositsOnDay, days)
  return {
    days: lastDates(context, days),
    ...figuresByDay(rowsByDay),
    refusals: refusalsByReason(rowsByDay),
    before: summaryOf(rowsBefore.flat()),
    daysBefore: figuresByDay(rowsBefore),
  }
}

function figuresByDay(rowsByDay: readonly DepositsRow[][]) {
  const approved = rowsByDay.map((rows) => totalOf(rows.filter(isApproved)))
  const refused = rowsByDay.map((rows) => totalOf(rows.filter(isRefused)))
  return {
    amounts: amountsByCurrency(rowsByDay),
    approved,
    refused,
    approvalRate: approved.map((count, day) => rateOf(count, count + (refused[day] ?? 0))),
  }
}

/** The figures of a whole period. */
function summaryOf(rows: readonly DepositsRow[]) {
  const [approved, refused] = [totalOf(rows.filter(isApproved)), totalOf(rows.filter(isRefused))]
  const currencies = Object.groupBy(rows.filter(isApproved), ({ currency }) => currency)
  return {
    amounts: Object.entries(currencies).map(([currency, some = []]) => ({
      currency,
      amount: formatMoney(some.reduce((total, { amount }) => total + BigInt(amount), 0n)),
    })),
    approved,
    refused,
    approvalRate: rateOf(approved, approved + refused),
  }
}

const isApproved = ({ outcome }: DepositsRow) => outcome === 'approved'
const isRefused = ({ outcome }: DepositsRow) => outcome !== 'approved' && outcome !== 'voided'
const totalOf = (rows: readonly DepositsRow[]) => rows.reduce((total, { count }) => total + count, 0)

function amountsByCurrency(rowsByDay: readonly DepositsRow[][]) {
  const approved = rowsByDay.flat().filter(isApproved)
  const currencies = [...new Set(approved.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => ({
    currency,
    amounts: rowsByDay.map((rows) => {
      const row = rows.find((one) => isApproved(one) && one.currency === currency)
      return formatMoney(BigInt(row?.amount ?? 0))
    }),
  }))
}

function refusalsByReason(rowsByDay: readonly DepositsRow[][]) {
  const refused = rowsByDay.flat().filter(isRefused)
  const reasons = [...new Set(refused.map(({ outcome }) => outcome as FaultKind))].sort(byCode)
  return reasons.map((reason) => ({
    code: faultTable[reason].code,
    title: faultTable[reason].text,
    counts: rowsByDay.map((rows) => totalOf(rows.filter(({ outcome }) => outcome === reason))),
  }))
}

function byCode(one: FaultKind, other: FaultKind): number {
  return faultTable[one].code.localeCompare(faultTable[other].code)
}

/** Between 0 and 1; null: no deposit was decided. */
function rateOf(part: number, total: number): number | null {
  return total === 0 ? null : Math.round((part / total) * 10_000) / 10_000
}
