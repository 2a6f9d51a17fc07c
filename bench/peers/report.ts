// Writes the comparison with the peers: peers.json, peers.md and peers.svg.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { escaped, svg } from '../report/charts.ts'
import { spreadText, table, wholeNumber } from '../report/tables.ts'
import { hardware } from '../report/write-report.ts'
import type { PeerResult, SharedResult, Targets } from './measure.ts'

export type PeersReport = {
  at: string
  size: string
  seconds: number
  rounds: number
  /** In the order of the results' peers. */
  peers: { title: string; version: string }[]
  results: SharedResult[]
}

export function writePeersReport(report: PeersReport, folder: string): string {
  const text = markdown(report)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'peers.json'), `${JSON.stringify(report, null, 1)}\n`)
  writeFileSync(join(folder, 'peers.svg'), chart(report))
  writeFileSync(join(folder, 'peers.md'), `${text}\n`)
  return text
}

const titleOf = ({ size }: PeersReport) => `Requests per second beside other servers, ${size} set`

function markdown(report: PeersReport): string {
  return [
    `# Compared with other servers, the ${report.size} set, measured ${report.at.slice(0, 16).replace('T', ' ')}`,
    `${hardware()}; ${report.rounds} rounds of ${report.seconds} s of each server in turns, one PostgreSQL; 8 connections where no other number is named.
Figures are medians of the rounds; ± is the 95 % confidence interval, by the quartiles. \`npm run bench:peers\` repeats it.`,
    `![${titleOf(report)}](peers.svg)`,
    speedTable(report),
    '## Processor time of a request, µs: server + database',
    costTable(report),
    '## What is compared',
    COMPARED,
  ].join('\n\n')
}

/** Requests per second, the ratios, and whether each is as high as it should be. */
export function speedTable({ peers, results }: PeersReport): string {
  const head = [
    'operation',
    'Paddock, requests/s',
    ...peers.flatMap(({ title, version }) => [`${title} ${version}`, 'ratio']),
  ]
  const rows = results.map(({ title, targets, service, peers }) => [
    title,
    wholeNumber(service.perSecond.median),
    ...peers.flatMap((peer) =>
      peer === null
        ? ['–', '–']
        : [wholeNumber(peer.summary.perSecond.median), `${peer.ratio.median.toFixed(1)} ${spreadText(peer.ratio)}`],
    ),
    targetText(targets),
    targets.every((target) => target === null) ? '–' : isMet(targets, peers) ? 'yes' : '**no**',
  ])
  return table([...head, 'target', 'met'], rows)
}

export function isMet(targets: Targets, peers: readonly (PeerResult | null)[]): boolean {
  return peers.every((peer, index) => peer === null || peer.ratio.median >= (targets[index] ?? 0))
}

/** One number where that of both peers is the same. */
export function targetText(targets: Targets): string {
  return [...new Set(targets.map((target) => `${target ?? '–'}`))].join(' and ')
}

function costTable({ peers, results }: PeersReport): string {
  const cost = ({ cpu, databaseCpu }: SharedResult['service']) =>
    `${wholeNumber(cpu.median)} + ${wholeNumber(databaseCpu ?? 0)}`
  const rows = results.map(({ title, service, peers }) => [
    title,
    cost(service),
    ...peers.map((peer) => (peer === null ? '–' : cost(peer.summary))),
  ])
  return table(['operation', 'Paddock', ...peers.map(({ title }) => title)], rows)
}

const COMPARED = `All three hold the same rows, copied by SQL, on the same PostgreSQL and the same Node with the same options, and answer reads
with the same ids, which is checked before measuring. Where they differ, the peers do less:

- Paddock checks key, secret and ticket, logs a line for each request, and says of each row whether the caller follows, likes or flagged it.
  The peers check no user, log nothing and say nothing about the caller.
- PostGraphile runs as its documentation recommends for production: persisted operations, prepared statements, no GraphiQL. A like and
  a follow are mutations that insert or delete the row; triggers update the counts. It generates no query for the home feed.
- Parse Server uses its PostgreSQL adapter over REST. The feed is one query with \`$select\`. A like is an increment of a number, which does not
  know who liked; a follow creates or deletes an object, and updates no counts.
- A tip has its outcome, market and event: three tables of Paddock and PostGraphile, one class of Parse Server. Creating a tip inserts the
  row; Paddock also checks the bet and the text, and updates counts.
- Paddock lists tips by likes and profiles by followers, so that a like and a follow update indexes; a like also updates the count of its
  outcome. The peers have no such lists.
- Follow and like alternate with their opposite; the figures are of one request. A hot tip or profile is one that all connections write to.
- A target of two numbers is that beside PostGraphile and that beside Parse Server.`

const ROW = 18
const LEFT = 260
const RIGHT = 130
const WIDTH = 860
const COLOURS = ['#0969da', '#9a6700', '#8250df']

/** A group of bars for each operation; lengths within a group are to scale. */
function chart(report: PeersReport): string {
  const names = ['Paddock', ...report.peers.map(({ title, version }) => `${title} ${version}`)]
  const body = names.map((name, index) => {
    const x = 16 + index * 190
    return `<rect fill="${COLOURS[index]}" x="${x}" y="40" width="12" height="12" rx="2"/><text x="${x + 18}" y="50">${escaped(name)}</text>`
  })
  let y = 66
  for (const { title, service, peers } of report.results) {
    const most = Math.max(...[service, ...peers.map((peer) => peer?.summary)].map((one) => one?.perSecond.median ?? 0))
    const bars = [bar(service, most, ''), ...peers.map((peer) => peerBar(peer, most))]
    body.push(`<text x="${LEFT - 8}" y="${y + 13}" text-anchor="end">${escaped(title)}</text>`)
    for (const [index, { width, label }] of bars.entries()) {
      body.push(
        `<rect fill="${COLOURS[index]}" x="${LEFT}" y="${y + 2}" width="${width.toFixed(1)}" height="${ROW - 4}" rx="2"/>`,
        `<text class="small" x="${(LEFT + width + 6).toFixed(1)}" y="${y + 13}">${label}</text>`,
      )
      y += ROW
    }
    y += 8
  }
  return svg(WIDTH, y + 8, titleOf(report), body)
}

type Bar = { width: number; label: string }

function bar({ perSecond }: SharedResult['service'], most: number, more: string): Bar {
  const width = (perSecond.median / most) * (WIDTH - LEFT - RIGHT)
  return { width, label: `${wholeNumber(perSecond.median)}/s${more}` }
}

function peerBar(peer: PeerResult | null, most: number): Bar {
  if (peer === null) return { width: 0, label: 'cannot express it' }
  return bar(peer.summary, most, ` (Paddock ${peer.ratio.median.toFixed(1)} ×)`)
}
