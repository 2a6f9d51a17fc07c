// What differs from the last kept result, where it is more than the rounds differ among themselves.

import type { Result } from '../comparison.ts'
import { table } from './tables.ts'
import type { Report } from './write-report.ts'

/** Below this, a difference between two runs of a shared machine says nothing. */
const NOTEWORTHY = 0.1

export function changes(before: Report, after: Report): string {
  const rows: string[][] = []
  let compared = 0
  for (const run of after.engines) {
    const earlier = before.engines.find(({ engine }) => engine === run.engine)
    for (const result of [...run.operations, ...(run.bare === null ? [] : [run.bare])]) {
      const last = [...(earlier?.operations ?? []), ...(earlier?.bare ? [earlier.bare] : [])].find(
        ({ name }) => name === result.name,
      )
      if (last === undefined) continue
      compared++
      const noted = difference(last, result)
      if (noted !== null) rows.push([run.engine, result.what, ...noted])
    }
  }
  const when = before.at.slice(0, 16).replace('T', ' ')
  const head = `Compared with ${when}: ${compared} operations, ${rows.length} with another ratio to the floor or another cost.`
  if (rows.length === 0) return head
  return `${head}\n\n${table(['engine', 'operation', 'ratio to the floor', 'CPU µs, service and database'], rows)}`
}

/** null: nothing that the spread of the rounds does not explain. */
function difference(before: Result, after: Result): [string, string] | null {
  const cost = ({ service }: Result) => service.cpu.median + (service.databaseCpu ?? 0)
  const [was, is] = [before.ratio?.median ?? 0, after.ratio?.median ?? 0]
  const spread = Math.max(NOTEWORTHY, (before.ratio?.spread ?? 0) + (after.ratio?.spread ?? 0))
  const costSpread = Math.max(NOTEWORTHY, before.service.cpu.spread + after.service.cpu.spread)
  const otherRatio = was > 0 && is > 0 && Math.abs(is / was - 1) > spread
  const otherCost = Math.abs(cost(after) / cost(before) - 1) > costSpread
  if (!otherRatio && !otherCost) return null
  return [`${was.toFixed(2)} → ${is.toFixed(2)}`, `${cost(before).toFixed(0)} → ${cost(after).toFixed(0)}`]
}
