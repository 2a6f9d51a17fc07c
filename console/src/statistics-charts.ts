// The charts of the overview, from the API's statistics.

import type { MoneyStatistics, Statistics } from '../../src/operator/api-types.ts'
import type { Chart } from './parts/day-chart.tsx'

const number = new Intl.NumberFormat('en-GB')
const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 })
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

export function countCharts({ days, series }: Statistics): Chart[] {
  return series.map(({ title, counts }) => countChart(title, days, counts))
}

export function moneyCharts({ days, amounts, approved, refused, approvalRate, refusals }: MoneyStatistics): Chart[] {
  return [
    ...amounts.map((one) => amountChart(days, one)),
    countChart('Deposits approved', days, approved),
    {
      title: 'Approval rate',
      days,
      layers: [{ name: 'Approval rate', values: approvalRate }],
      total:
        sum(approved) + sum(refused) === 0 ? 'none' : percent.format(sum(approved) / (sum(approved) + sum(refused))),
      remark: `of ${number.format(sum(approved) + sum(refused))} decided in ${days.length} days`,
      format: percent.format,
      top: 1,
    },
    {
      title: 'Refusals by reason',
      days,
      layers: refusals.map(({ code, title, counts }) => ({ name: `${code} ${title}`, values: counts })),
      isStacked: true,
      ...countSummary(days, refused),
      format: number.format,
    },
  ]
}

function countChart(title: string, days: readonly string[], counts: readonly number[]): Chart {
  return {
    title,
    days,
    layers: [{ name: title, values: counts }],
    ...countSummary(days, counts),
    format: number.format,
  }
}

function countSummary(days: readonly string[], counts: readonly number[]): Pick<Chart, 'total' | 'remark'> {
  const most = Math.max(...counts)
  return {
    total: number.format(sum(counts)),
    remark: `in ${days.length} days${most > 0 ? `, peak ${number.format(most)}/day` : ''}`,
  }
}

/** In whole pennies: sums of decimal fractions would be off. */
function amountChart(days: readonly string[], { currency, amounts }: MoneyStatistics['amounts'][number]): Chart {
  const pennies = amounts.map((amount) => Math.round(Number(amount) * 100))
  const format = (value: number) => `${money.format(value / 100)} ${currency}`
  const most = Math.max(...pennies)
  return {
    title: `Amount deposited, ${currency}`,
    days,
    layers: [{ name: currency, values: pennies }],
    total: format(sum(pennies)),
    remark: `in ${days.length} days${most > 0 ? `, peak ${format(most)}/day` : ''}`,
    format,
  }
}

const money = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
