// Measures the service beside the baseline, and how its cost grows with the data: `npm run bench -- --help`.

import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { readCommandLine, UsageError } from '../scripts/command-line.js'
import { type Options, readOptions, USAGE } from './options.ts'
import type { Report } from './report/report.ts'
import { lastReport, writeReport } from './report/write-report.ts'
import { benchmarkNames, isSelected, runOn } from './run.ts'

const log = (line: string) => void process.stderr.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const options = readCommandLine(USAGE, (args) => {
  const given = readOptions(args)
  const only = given === 'list' ? [] : given.only
  const unknown = only.filter((name) => !benchmarkNames().some((one) => isSelected([name], one)))
  if (unknown.length > 0) throw new UsageError(`--only ${unknown.join(',')}: see --list`)
  return given
})
if (options === 'list') console.log(benchmarkNames().join('\n'))
else await measureAndReport(options)

async function measureAndReport(options: Options): Promise<void> {
  const data = resolve(options.data)
  mkdirSync(data, { recursive: true })
  const report: Report = {
    at: new Date().toISOString(),
    size: options.size,
    seconds: options.seconds,
    rounds: options.rounds,
    engines: [],
  }
  for (const engine of options.engines) {
    log(`--- ${engine}, ${options.size}`)
    report.engines.push(await runOn(engine, { ...options, data }, log))
  }
  if (report.engines.some(({ failed }) => failed.length > 0)) process.exitCode = 1
  const results = resolve(options.results)
  const before = lastReport(results, options.size)
  console.log(writeReport(report, before, { folder: results, store: options.only.length === 0 }))
}
