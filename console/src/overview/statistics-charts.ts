// The charts of the overview, from the API's statistics.

import type { MoneyStatistics, Statistics } from '../../../src/operator/api-types.ts'
import { depositReason } from '../../../web/words/deposits.ts'
import { countText, moneyText } from '../parts/numbers.ts'
import type { Chart } from './day-plot.tsx'

const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 })
/** "1.2K" beside an axis. */
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 2 })
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

export function countCharts({ days, series }: Statistics): Chart[] {
  return series.map(({ title, counts, before, countsBefore }) =>
    countChart(title, days, { counts, before, countsBefore }),
  )
}

export function moneyCharts(statistics: MoneyStatistics): Chart[] {
  const { days, amounts, approved, refused, approvalRate, refusals, before, daysBefore } = statistics
  const decided = sum(approved) + sum(refused)
  return [
    ...amounts.map((one) => amountChart(days, one, { before: before.amounts, daysBefore: daysBefore.amounts })),
    countChart('Deposits approved', days, {
      counts: approved,
      before: before.approved,
      countsBefore: daysBefore.approved,
    }),
    {
      title: 'Approval rate',
      days,
      layers: [{ name: 'Approval rate', values: approvalRate }],
      total: decided === 0 ? 'none' : percent.format(sum(approved) / decided),
      remark: `of ${countText(decided)} decided in ${days.length} days`,
      change: rateChange(days, decided === 0 ? null : sum(approved) / decided, before.approvalRate),
      before: daysBefore.approvalRate,
      format: percent.format,
      formatTick: percent.format,
      top: 1,
    },
    {
      title: 'Refusals by reason',
      days,
      layers: refusals.map(({ code, title, counts }) => ({ name: depositReason(code, title), values: counts })),
      isStacked: true,
      ...countSummary(days, { counts: refused, before: before.refused, countsBefore: daysBefore.refused }),
      before: daysBefore.refused,
      format: countText,
      formatTick: short.format,
    },
  ]
}

/** `before`: the total of the period before; `countsBefore`: its days. */
type Counts = { counts: readonly number[]; before: number; countsBefore: readonly number[] }

function countChart(title: string, days: readonly string[], counted: Counts): Chart {
  return {
    title,
    days,
    layers: [{ name: title, values: counted.counts }],
    ...countSummary(days, counted),
    before: counted.countsBefore,
    format: countText,
    formatTick: short.format,
  }
}

function countSummary(days: readonly string[], { counts, before }: Counts): Pick<Chart, 'total' | 'remark' | 'change'> {
  const most = Math.max(...counts)
  return {
    change: changeOf(days, sum(counts), before, countText),
    total: countText(sum(counts)),
    remark: `in ${days.length} days${most > 0 ? `, peak ${countText(most)}/day` : ''}`,
  }
}

/** In whole pennies: sums of decimal fractions would be off. */
function amountChart(
  days: readonly string[],
  { currency, amounts }: MoneyStatistics['amounts'][number],
  { before, daysBefore }: { before: MoneyStatistics['before']['amounts']; daysBefore: MoneyStatistics['amounts'] },
): Chart {
  const toPennies = (amount: string) => Math.round(Number(amount) * 100)
  const pennies = amounts.map(toPennies)
  const earlierDays = daysBefore.find((one) => one.currency === currency)?.amounts ?? days.map(() => '0')
  const earlier = toPennies(before.find((one) => one.currency === currency)?.amount ?? '0')
  const format = (value: number) => `${moneyText(value / 100)} ${currency}`
  const most = Math.max(...pennies)
  return {
    title: `Amount deposited, ${currency}`,
    days,
    layers: [{ name: currency, values: pennies }],
    total: format(sum(pennies)),
    remark: `in ${days.length} days${most > 0 ? `, peak ${format(most)}/day` : ''}`,
    change: changeOf(days, sum(pennies), earlier, format),
    before: earlierDays.map(toPennies),
    format,
    formatTick: (value) => short.format(value / 100),
  }
}

// ---- The change from the period before

type Change = NonNullable<Chart['change']>

function changeOf(days: readonly string[], now: number, before: number, format: (value: number) => string): Change {
  const from = `from ${format(before)} in the ${daysText(days)} before`
  if (now === before) return { direction: 'same', text: `unchanged ${from}` }
  const direction = now > before ? 'up' : 'down'
  // Nothing can be compared with zero.
  const share = before === 0 ? '' : ` ${percent.format(Math.abs(now - before) / before)}`
  return { direction, text: `${direction}${share} ${from}` }
}

/** The change of a rate, in percentage points: per cent of per cent are misread. */
function rateChange(days: readonly string[], now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null) return undefined
  const points = Math.round((now - before) * 1000) / 10
  const from = `from ${percent.format(before)} in the ${daysText(days)} before`
  if (points === 0) return { direction: 'same', text: `unchanged ${from}` }
  const direction = points > 0 ? 'up' : 'down'
  return { direction, text: `${direction} ${Math.abs(points)} points ${from}` }
}

function daysText({ length }: readonly string[]): string {
  return length === 1 ? 'day' : `${length} days`
}
