// Compares with the last stored result; differences within the spread of the rounds are left out.

import type { OperationResult } from '../comparison.ts'
import { cpuCost, resultsOf } from './engine-run.ts'
import type { Report } from './report.ts'
import { table } from './tables.ts'

/** Smaller differences between two runs on a shared machine mean nothing. */
const MIN_DIFFERENCE = 0.1

export function changes(before: Report, after: Report): string {
  const rows: string[][] = []
  let compared = 0
  for (const run of after.engines) {
    const lastRun = before.engines.find(({ engine }) => engine === run.engine)
    const lastResults = lastRun === undefined ? [] : resultsOf(lastRun)
    for (const result of resultsOf(run)) {
      const last = lastResults.find(({ name }) => name === result.name)
      if (last === undefined) continue
      compared++
      const change = difference(last, result)
      if (change !== null) rows.push([run.engine, result.title, ...change])
    }
  }
  const when = before.at.slice(0, 16).replace('T', ' ')
  const head = `Compared with ${when}: ${compared} operations, ${rows.length} with another ratio to the baseline or another cost.`
  if (rows.length === 0) return head
  return `${head}\n\n${table(['engine', 'operation', 'ratio to the baseline', 'CPU µs, service and database'], rows)}`
}

/** null: none beyond the spread of the rounds. */
function difference(before: OperationResult, after: OperationResult): [string, string] | null {
  const [was, is] = [before.ratio?.median ?? 0, after.ratio?.median ?? 0]
  const spread = Math.max(MIN_DIFFERENCE, (before.ratio?.spread ?? 0) + (after.ratio?.spread ?? 0))
  const costSpread = Math.max(MIN_DIFFERENCE, before.service.cpu.spread + after.service.cpu.spread)
  const otherRatio = was > 0 && is > 0 && Math.abs(is / was - 1) > spread
  const otherCost = Math.abs(cpuCost(after) / cpuCost(before) - 1) > costSpread
  if (!otherRatio && !otherCost) return null
  return [`${was.toFixed(2)} → ${is.toFixed(2)}`, `${cpuCost(before).toFixed(0)} → ${cpuCost(after).toFixed(0)}`]
}
