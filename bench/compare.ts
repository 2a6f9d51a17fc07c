// Measures the working tree against the code of another commit, both in turns: `npm run bench:compare -- --help`.

import { resolve } from 'node:path'
import { readCommandLine, UsageError } from '../scripts/command-line.js'
import { checkOut, describeCommit, describeWorkingTree } from './compare/checkout.ts'
import { compareModes } from './compare/modes.ts'
import { type CompareOptions, readCompareOptions, USAGE } from './compare/options.ts'
import { writeComparison } from './compare/report.ts'
import { type Compared, comparableNames, compareOn, type EngineComparison } from './compare/run.ts'
import type { Engine, EngineName } from './data/data-sets.ts'
import { isSelected } from './run.ts'

class Interrupted extends Error {}

const log = (line: string) => void process.stderr.write(`${line}\n`)

const options = readCommandLine(USAGE, (args) => {
  const given = readCompareOptions(args)
  const only = given === 'list' ? [] : given.only
  const unknown = only.filter((one) => !comparableNames().some(({ name }) => isSelected([one], name)))
  if (unknown.length > 0) throw new UsageError(`--only ${unknown.join(',')}: see --list`)
  if (given !== 'list' && given.ref !== null) describeCommit(given.ref)
  return given
})
if (options === 'list') {
  console.log(
    comparableNames()
      .map(({ name, usual }) => (usual ? `${name} *` : name))
      .join('\n'),
  )
} else await compareAndReport(options)

async function compareAndReport(given: CompareOptions): Promise<void> {
  const options = { ...given, data: resolve(given.data), results: resolve(given.results) }
  const { ref } = options
  const before = ref !== null ? describeCommit(ref) : given.traces === null ? 'production' : 'without traces'
  const commits = { before, after: describeWorkingTree() }
  const checkout = ref === null ? null : await checkOut(ref)
  const opened: Engine[] = []
  try {
    const { size, seconds, rounds } = options
    const compare = (engine: EngineName) =>
      checkout === null
        ? compareModes(engine, { options, log }, opened)
        : compareOn(engine, { checkout, commits, options, log }, opened)
    const engines = await Promise.race([compareAll({ options, commits, compare }, opened), interrupted()])
    if (engines.some(({ failed }) => failed.length > 0)) process.exitCode = 1
    const store = options.only.length === 0 && ref !== null
    console.log(writeComparison({ size, seconds, rounds, engines }, { folder: options.results, store }))
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    process.exitCode = 130
  } finally {
    for (const engine of opened) await engine.close()
  }
  // After an interruption services may still run; they are stopped at the exit.
  if (process.exitCode === 130) process.exit()
}

type All = Pick<Compared, 'commits' | 'options'> & { compare: (engine: EngineName) => Promise<EngineComparison> }

async function compareAll({ commits, options, compare }: All, opened: Engine[]): Promise<EngineComparison[]> {
  log(`before: ${commits.before}\nafter:  ${commits.after}`)
  const results: EngineComparison[] = []
  for (const engine of options.engines) {
    log(`--- ${engine}, ${options.size}`)
    results.push(await compare(engine))
    while (opened.length > 0) await opened.pop()?.close()
  }
  return results
}

/** Rejects after a signal, so that the copies of the data are removed. */
function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Interrupted()))
  })
}
