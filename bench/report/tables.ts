import type { OperationResult } from '../comparison.ts'
import type { EngineRun } from '../run.ts'
import type { Figure } from '../statistics.ts'
import { resultsOf } from './engine-run.ts'

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const wholeNumber = (value: number) => Math.round(value).toLocaleString('en')
export const twoDigits = (value: number) => (value >= 10 ? wholeNumber(value) : value.toPrecision(2))
export const spreadText = ({ spread }: Figure) => `± ${Math.round(spread * 100)} %`

export function operationsTable(run: EngineRun): string {
  const rows = resultsOf(run)
  if (rows.length === 0) return ''
  const head = ['operation', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs: service', 'database', 'statements']
  return table([...head, 'baseline: requests/s', 'CPU µs', 'database', 'ratio to the baseline'], rows.map(cells))
}

function cells({ title, service, baseline, statements, ratio }: OperationResult): string[] {
  const optional = (value: number | null | undefined, write: (value: number) => string) =>
    value === null || value === undefined ? '' : write(value)
  return [
    title,
    `${wholeNumber(service.perSecond.median)} ${spreadText(service.perSecond)}`,
    optional(service.p50, twoDigits),
    optional(service.p99, twoDigits),
    wholeNumber(service.cpu.median),
    optional(service.databaseCpu, wholeNumber),
    optional(statements, (value) => value.toFixed(2)),
    optional(baseline?.perSecond.median, wholeNumber),
    optional(baseline?.cpu.median, wholeNumber),
    optional(baseline?.databaseCpu, wholeNumber),
    ratio === null ? '' : `${ratio.median.toFixed(2)} ${spreadText(ratio)}`,
  ]
}

export function scenariosTable({ settlement, start, memory, workers }: EngineRun): string {
  const rows: string[][] = []
  if (settlement !== null) {
    const { tips, answeredAfterMs, countedAfterMs, finishedAfterMs, quiet, during } = settlement
    const [counted, listed] = [countedAfterMs, finishedAfterMs].map((ms) => (ms / 1000).toFixed(1))
    const p50 = `p50 ${twoDigits(quiet.p50)} ms quiet, ${twoDigits(during.p50)} during`
    const p99 = `p99 ${twoDigits(quiet.p99)} quiet, ${twoDigits(during.p99)} during`
    const worst = `in the worst window ${twoDigits(quiet.worstP99)} and ${twoDigits(during.worstP99)}`
    rows.push([
      `settlement of a market with ${wholeNumber(tips)} tips`,
      `answered after ${wholeNumber(answeredAfterMs)} ms, counts exact after ${counted} s, all indexes of lists after ${listed} s`,
    ])
    rows.push(['readers meanwhile', `${p50}; ${p99} (${wholeNumber(during.requests)} reads; ${worst})`])
  }
  if (start !== null) rows.push(['start to ready', `${wholeNumber(start.median)} ms ${spreadText(start)}`])
  if (memory !== null) {
    const { idle, requests, after, peak } = memory
    const quarters = `${after.map(wholeNumber).join(', ')} MB after each quarter and a garbage collection`
    rows.push([
      `memory over ${wholeNumber(requests)} requests (${Math.round(requests / 3_000)} minutes at 50/s)`,
      `${wholeNumber(idle)} MB idle; ${quarters}, at most ${wholeNumber(peak)} MB`,
    ])
  }
  if (workers !== null) {
    const [alone, apart, two] = [workers.alone, workers.apart, workers.two].map(({ median }) => wholeNumber(median))
    rows.push([
      'requests per CPU second',
      `one worker alone ${alone}, two services at once ${apart}, two workers ${two}`,
    ])
  }
  return rows.length === 0 ? '' : table(['scenario', 'measured'], rows)
}

export function failureList({ failed }: Pick<EngineRun, 'failed'>): string {
  if (failed.length === 0) return ''
  return ['Failed:', ...failed.map(({ name, why }) => `- ${name}: ${why.replace(/\s+/g, ' ')}`)].join('\n')
}

export function growthTable({ growth }: EngineRun): string {
  if (growth.length === 0) return ''
  const names = [...new Set(growth.flatMap(({ costs }) => costs.map(({ size }) => size)))]
  const rows = growth.map(({ title, costs, ratio }) => {
    const of = (name: string) => costs.find(({ size }) => size === name)?.cpu
    const cost = names.map((name) => {
      const cpu = of(name)
      return cpu === undefined ? '' : `${wholeNumber(cpu.median)} ${spreadText(cpu)}`
    })
    return [title, ...cost, `${ratio.median.toFixed(2)} ${spreadText(ratio)}`]
  })
  return table(['CPU µs of a request, service and database', ...names, 'largest by smallest'], rows)
}
