import type { Figure, Result } from '../comparison.ts'
import type { EngineRun } from '../run.ts'

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const whole = (value: number) => Math.round(value).toLocaleString('en')
export const fine = (value: number) => (value >= 10 ? whole(value) : value.toPrecision(2))
const around = ({ spread }: Figure) => `± ${Math.round(spread * 100)} %`

export function operationsTable({ operations, bare }: EngineRun): string {
  const rows = [...operations, ...(bare === null ? [] : [bare])]
  if (rows.length === 0) return ''
  const head = ['operation', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs: service', 'database', 'statements']
  return table([...head, 'floor: requests/s', 'CPU µs', 'database', 'ratio to the floor'], rows.map(cells))
}

function cells({ what, service, floor, statements, ratio }: Result): string[] {
  const optional = (value: number | null | undefined, write: (value: number) => string) =>
    value === null || value === undefined ? '' : write(value)
  return [
    what,
    `${whole(service.perSecond.median)} ${around(service.perSecond)}`,
    optional(service.p50, fine),
    optional(service.p99, fine),
    whole(service.cpu.median),
    optional(service.databaseCpu, whole),
    optional(statements, (value) => value.toFixed(2)),
    optional(floor?.perSecond.median, whole),
    optional(floor?.cpu.median, whole),
    optional(floor?.databaseCpu, whole),
    ratio === null ? '' : `${ratio.median.toFixed(2)} ${around(ratio)}`,
  ]
}

export function othersTable({ settlement, start, memory, workers }: EngineRun): string {
  const rows: string[][] = []
  if (settlement !== null) {
    const { tips, answered, followed, quiet, during } = settlement
    rows.push([
      `settlement of a market with ${whole(tips)} tips`,
      `answered after ${whole(answered)} ms, the last comment followed after ${(followed / 1000).toFixed(1)} s`,
    ])
    rows.push([
      'readers beside it',
      `p50 ${fine(quiet.p50)} ms quiet, ${fine(during.p50)} during; p99 ${fine(quiet.p99)} quiet, ${fine(during.p99)} during (${whole(during.requests)} reads; in the worst window ${fine(quiet.worst)} and ${fine(during.worst)})`,
    ])
  }
  if (start !== null) rows.push(['start to ready', `${whole(start.median)} ms ${around(start)}`])
  if (memory !== null) {
    const { idle, requests, after, most } = memory
    rows.push([
      `memory over ${whole(requests)} requests (${Math.round(requests / 3_000)} minutes at 50/s)`,
      `${whole(idle)} MB idle; ${after.map(whole).join(', ')} MB after each quarter and a collection, ${whole(most)} MB at most before one`,
    ])
  }
  if (workers !== null) {
    const { alone, apart, two } = workers
    rows.push([
      'requests per CPU second',
      `${whole(alone.median)} of one worker alone, ${whole(apart.median)} of two services at once, ${whole(two.median)} of two workers`,
    ])
  }
  return rows.length === 0 ? '' : table(['question', 'measured'], rows)
}

export function failures({ failed }: EngineRun): string {
  if (failed.length === 0) return ''
  return ['Without an answer:', ...failed.map(({ name, why }) => `- ${name}: ${why.replace(/\s+/g, ' ')}`)].join('\n')
}

export function growthTable({ growth }: EngineRun): string {
  if (growth.length === 0) return ''
  const names = [...new Set(growth.flatMap(({ costs }) => costs.map(({ size }) => size)))]
  const rows = growth.map(({ what, costs, times }) => {
    const of = (name: string) => costs.find(({ size }) => size === name)?.cpu
    const cost = names.map((name) => {
      const cpu = of(name)
      return cpu === undefined ? '' : `${whole(cpu.median)} ${around(cpu)}`
    })
    return [what, ...cost, `${times.median.toFixed(2)} ${around(times)}`]
  })
  return table(['CPU µs of a request, service and database', ...names, 'largest against smallest'], rows)
}
