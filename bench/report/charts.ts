// Charts as SVG files, without a library; readable on light and dark pages.

import type { EngineRun } from '../run.ts'
import { engineTitle } from './engine-run.ts'
import type { Report } from './report.ts'

export type Chart = { file: string; title: string; svg: string }

const STYLE = `<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2328 } .small { font-size: 10px; fill: #59636e }
  .title { font-size: 14px; font-weight: 600 } .grid { stroke: #d1d9e0 } .target { stroke: #bc4c00; stroke-dasharray: 4 3 }
  .good { fill: #0969da } .low { fill: #bc4c00 } .page { fill: #ffffff }
  .line { fill: none; stroke-width: 1.5; opacity: .8 }
  @media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .small { fill: #9198a1 } .grid { stroke: #3d444d }
    .page { fill: #0d1117 } .good { fill: #4493f8 } .low { fill: #db6d28 } .target { stroke: #db6d28 } }
</style>`

export function charts(report: Report): Chart[] {
  return report.engines.flatMap((run) => {
    const drawn: Chart[] = []
    const name = engineTitle(run)
    const file = (chart: string) => `${report.size}-${run.engine}-${chart}.svg`
    if (run.operations.some(({ ratio }) => ratio !== null)) {
      const title = `Requests per second against the baseline, ${name}, ${report.size}`
      drawn.push({ file: file('ratio'), title, svg: ratioChart(title, run) })
    }
    if (run.growth.length > 0) {
      const title = `CPU time of a request against the size of the data set, ${name}`
      drawn.push({ file: file('growth'), title, svg: growthChart(title, run) })
    }
    return drawn
  })
}

export function svg(width: number, height: number, title: string, body: string[]): string {
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(title)}">
${STYLE}
<rect class="page" width="${width}" height="${height}"/>
<text class="title" x="16" y="26">${escaped(title)}</text>
${body.join('\n')}
</svg>
`
}

export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
}

const ROW = 20
const LEFT = 290
const RIGHT = 70
const WIDTH = 860

/** A bar for each operation; the line is at 0.8, the target of single reads and writes. */
function ratioChart(title: string, { operations }: EngineRun): string {
  const rows = operations.flatMap(({ title, ratio }) => (ratio === null ? [] : [{ title, ratio: ratio.median }]))
  const most = Math.max(1.2, ...rows.map(({ ratio }) => ratio))
  const x = (ratio: number) => LEFT + (ratio / most) * (WIDTH - LEFT - RIGHT)
  const height = 60 + rows.length * ROW
  const body = [0, 0.25, 0.5, 0.75, 1].flatMap((ratio) => [
    `<line class="grid" x1="${x(ratio)}" x2="${x(ratio)}" y1="46" y2="${height - 10}"/>`,
    `<text class="small" x="${x(ratio)}" y="42" text-anchor="middle">${ratio}</text>`,
  ])
  body.push(`<line class="target" x1="${x(0.8)}" x2="${x(0.8)}" y1="46" y2="${height - 10}"/>`)
  for (const [index, { title, ratio }] of rows.entries()) {
    const y = 50 + index * ROW
    const width = (x(ratio) - LEFT).toFixed(1)
    body.push(
      `<text x="${LEFT - 8}" y="${y + 13}" text-anchor="end">${escaped(title)}</text>`,
      `<rect class="${ratio < 0.8 ? 'low' : 'good'}" x="${LEFT}" y="${y + 3}" width="${width}" height="${ROW - 6}" rx="2"/>`,
      `<text x="${(x(ratio) + 6).toFixed(1)}" y="${y + 13}">${ratio.toFixed(2)}</text>`,
    )
  }
  return svg(WIDTH, height, title, body)
}

const PLOT = { top: 50, bottom: 420, left: 60, right: 560 }

/** A line for each operation over the sizes; costs on a logarithmic scale, so that equal slopes are equal growth. */
function growthChart(title: string, { growth }: EngineRun): string {
  const sizes = [...new Set(growth.flatMap(({ costs }) => costs.map(({ size }) => size)))]
  const all = growth.flatMap(({ costs }) => costs.map(({ cpu }) => cpu.median)).filter((cost) => cost > 0)
  const lowest = 10 ** Math.floor(Math.log10(Math.min(...all)))
  const highest = 10 ** Math.ceil(Math.log10(Math.max(...all)))
  const x = (place: number) => PLOT.left + 30 + (place / Math.max(1, sizes.length - 1)) * (PLOT.right - PLOT.left - 60)
  const y = (cost: number) =>
    PLOT.bottom - (Math.log(cost / lowest) / Math.log(highest / lowest)) * (PLOT.bottom - PLOT.top)
  const body: string[] = []
  for (let cost = lowest; cost <= highest; cost *= 10) {
    body.push(
      `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(cost)}" y2="${y(cost)}"/>`,
      `<text class="small" x="${PLOT.left - 6}" y="${y(cost) + 4}" text-anchor="end">${cost} µs</text>`,
    )
  }
  for (const [place, size] of sizes.entries()) {
    body.push(`<text x="${x(place)}" y="${PLOT.bottom + 20}" text-anchor="middle">${size}</text>`)
  }
  body.push(...lines(growth, sizes, x, y))
  return svg(WIDTH, PLOT.bottom + 40, title, body)
}

/** Labels at the right, in the order of their last points, moved apart where they would overlap. */
function lines(
  growth: EngineRun['growth'],
  sizes: string[],
  x: (place: number) => number,
  y: (cost: number) => number,
): string[] {
  const drawn: string[] = []
  const apart = Math.min(13, (PLOT.bottom - PLOT.top) / growth.length)
  let below = PLOT.bottom + apart
  const byCost = [...growth].sort(
    (one, other) => (one.costs.at(-1)?.cpu.median ?? 0) - (other.costs.at(-1)?.cpu.median ?? 0),
  )
  for (const [place, { name, costs }] of byCost.entries()) {
    const colour = `hsl(${Math.round((place * 360) / byCost.length)} 60% 50%)`
    const points = costs.map(({ size, cpu }) => `${x(sizes.indexOf(size)).toFixed(1)},${y(cpu.median).toFixed(1)}`)
    const last = y(costs.at(-1)?.cpu.median ?? 1)
    below = Math.min(last + 4, below - apart)
    drawn.push(
      `<polyline class="line" stroke="${colour}" points="${points.join(' ')}"/>`,
      ...points.map(
        (point) => `<circle fill="${colour}" r="2.5" cx="${point.split(',')[0]}" cy="${point.split(',')[1]}"/>`,
      ),
      `<text class="small" x="${PLOT.right + 8}" y="${below.toFixed(1)}"><tspan fill="${colour}">●</tspan> ${escaped(name)}</text>`,
    )
  }
  return drawn
}
