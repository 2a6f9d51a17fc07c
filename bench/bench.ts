// How fast is the service beside the floor, and does its cost grow? `npm run bench -- --help`

import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { readOptions, USAGE, UsageProblem } from './options.ts'
import { lastResult, type Report, writeReport } from './report/write-report.ts'
import { questionNames, runOn } from './run.ts'

const say = (line: string) => void process.stderr.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') console.log(USAGE)
  else if (options === 'list') console.log(questionNames().join('\n'))
  else {
    const unknown = options.only.filter(
      (name) => !questionNames().some((one) => one === name || one.startsWith(`${name}-`)),
    )
    if (unknown.length > 0) throw new UsageProblem(`--only ${unknown.join(',')}: --list shows the names`)
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
      say(`--- ${engine}, ${options.size}`)
      report.engines.push(await runOn(engine, { ...options, data }, say))
    }
    if (report.engines.some(({ failed }) => failed.length > 0)) process.exitCode = 1
    const results = resolve(options.results)
    const before = lastResult(results, options.size)
    console.log(writeReport(report, before, { folder: results, keep: options.only.length === 0 }))
  }
} catch (error) {
  if (!(error instanceof UsageProblem)) throw error
  console.error(`${error.message}\n\n${USAGE}`)
  process.exitCode = 2
}
