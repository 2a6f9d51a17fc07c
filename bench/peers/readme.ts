// The table in README.md, which a stored run replaces.

import { readFileSync, writeFileSync } from 'node:fs'
import { pathOf } from '../processes.ts'
import { table, wholeNumber } from '../report/tables.ts'
import type { PeersReport } from './report.ts'

const README = pathOf('../README.md')
const TABLE = /(?<=<!-- npm run bench:peers writes this table -->\n\n)\|[\s\S]*?\|(?=\n\n)/

export function readmeTable({ peers, results }: PeersReport): string {
  const rows = results.map(({ title, service, peers }) => [
    title,
    wholeNumber(service.perSecond.median),
    ...peers.map((peer) =>
      peer === null ? '–' : `${wholeNumber(peer.summary.perSecond.median)} (${peer.ratio.median.toFixed(1)} ×)`,
    ),
  ])
  return table(['requests/s', 'Paddock', ...peers.map(({ title, version }) => `${title} ${version}`)], rows)
}

export function quoteInReadme(report: PeersReport): void {
  const text = readFileSync(README, 'utf8')
  writeFileSync(README, text.replace(TABLE, readmeTable(report)))
}
