import type { StaleResult } from './stale.ts'

export type Result = {
  fault: string
  /** Seconds in which writes were answered 503, of the instance that was worse. */
  unavailable: number
  /** 500s, requests without an answer, and answers after the documented time. */
  failures: number
  slowest: number
  slowestReadMeanwhile: number
  /** With STALE_READS_UP_TO_SECONDS: reads with an age, the oldest, and reads answered 503, of writers and of others. */
  reads: Pick<StaleResult, 'stale' | 'oldestSeconds' | 'writers503' | 'others503'>
  answered: number
  lost: number
  doubled: number
  counters: boolean
  ledger: boolean
  paidTwice: number
  unseen: number
  /** Empty: every promise was kept. */
  broken: string[]
}

const seconds = (value: number) => value.toFixed(1)

const COLUMNS: [string, (result: Result) => string][] = [
  ['fault', ({ fault }) => fault],
  ['503 (s)', ({ unavailable }) => seconds(unavailable)],
  ['500s', ({ failures }) => `${failures}`],
  ['slowest (s)', ({ slowest }) => seconds(slowest)],
  ['slowest read meanwhile (s)', ({ slowestReadMeanwhile }) => seconds(slowestReadMeanwhile)],
  ['stale reads', ({ reads }) => `${reads.stale}`],
  ['oldest (s)', ({ reads }) => `${reads.oldestSeconds}`],
  ['503 reads of writers', ({ reads }) => `${reads.writers503}`],
  ['503 reads of others', ({ reads }) => `${reads.others503}`],
  ['writes', ({ answered }) => `${answered}`],
  ['lost', ({ lost }) => `${lost}`],
  ['doubled', ({ doubled }) => `${doubled}`],
  ['counters', ({ counters }) => (counters ? 'exact' : 'WRONG')],
  ['ledger', ({ ledger }) => (ledger ? 'balanced' : 'WRONG')],
  ['paid twice', ({ paidTwice }) => `${paidTwice}`],
  ['unseen', ({ unseen }) => `${unseen}`],
  ['promises', ({ broken }) => (broken.length === 0 ? 'kept' : 'BROKEN')],
]

const SHOWN_PROBLEMS = 12

export function printTable(results: readonly Result[]): void {
  const rows = [COLUMNS.map(([title]) => title), ...results.map((result) => COLUMNS.map(([, cell]) => cell(result)))]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`
  const [header, ...body] = rows as [string[], ...string[][]]
  console.log(['', line(header), line(widths.map((width) => '-'.repeat(width))), ...body.map(line), ''].join('\n'))
  for (const { fault, broken } of results) printProblems(fault, broken)
}

function printProblems(fault: string, broken: readonly string[]): void {
  if (broken.length === 0) return
  console.log(`${fault}: broken promises`)
  for (const one of broken.slice(0, SHOWN_PROBLEMS)) console.log(`  ${one}`)
  if (broken.length > SHOWN_PROBLEMS) console.log(`  and ${broken.length - SHOWN_PROBLEMS} more`)
}
