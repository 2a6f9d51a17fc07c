// Measures the service beside the baseline, and how its cost grows with the data: `npm run bench -- --help`.

import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { readOptions, USAGE, UsageError } from './options.ts'
import type { Report } from './report/report.ts'
import { lastReport, writeReport } from './report/write-report.ts'
import { benchmarkNames, isSelected, runOn } from './run.ts'

const log = (line: string) => void process.stderr.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') console.log(USAGE)
  else if (options === 'list') console.log(benchmarkNames().join('\n'))
  else {
    const unknown = options.only.filter((name) => !benchmarkNames().some((one) => isSelected([name], one)))
    if (unknown.length > 0) throw new UsageError(`--only ${unknown.join(',')}: see --list`)
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
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${USAGE}`)
  process.exitCode = 2
}
