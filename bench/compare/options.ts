import { parseArgs } from 'node:util'
import { positiveNumber, UsageError } from '../../scripts/command-line.js'
import type { EngineName } from '../data/data-sets.ts'
import type { SizeName } from '../data/sizes.ts'
import { enginesOf, sizeOf } from '../options.ts'
import { pathOf } from '../processes.ts'

export type CompareOptions = {
  /** null: the working tree is compared with itself. */
  ref: string | null
  /** The part of the requests that one side traces; null: the two modes are compared. */
  traces: number | null
  engines: EngineName[]
  size: SizeName
  /** Names, or first words of names; empty: the usual ones. */
  only: string[]
  seconds: number
  rounds: number
  data: string
  results: string
}

export const USAGE = `Usage: npm run bench:compare -- REF [options]
       npm run bench:compare -- --modes [options]
       npm run bench:compare -- --traces RATIO [options]

  Measures the working tree against the code of another commit (REF: a hash, a branch, a tag) in one run. Each runs on a
  data set of its own, which its own code fills, and rounds of the two alternate. The data sets are cached for the next run.

  With --modes, the sandbox (after) against production (before), both of the working tree: what the sandbox costs. Deposits,
  cold blocks, imports and settlements are left out.

  With --traces, the working tree that traces this part of its requests (after), such as 0.1, against itself without traces
  (before), both in production. The same are left out.

  --engine sqlite|postgres|both    which engine (both)
  --size small|medium|large        10,000, 100,000 or 1,000,000 profiles (medium); tiny is for testing the bench itself
  --only NAME,NAME…                only these, or those whose name begins so, instead of the usual ones: like, feed-200 …
  --list                           the names for --only; the usual ones are marked
  --seconds N                      length of one round (0.15)
  --rounds N                       rounds of each operation and side (30)
  --data FOLDER                    where data sets are cached (bench/.data)
  --results FOLDER                 where results are written (bench/results)
  --help

  A run of the usual ones is stored as compare.md and compare.json. A run with --only is printed and not stored.`

export function readCompareOptions(args: string[]): CompareOptions | 'list' {
  const { values, positionals } = parse(args)
  if (values.list) return 'list'
  const [ref = null, ...others] = positionals
  const traces = values.traces === undefined ? null : positiveNumber('--traces', values.traces)
  const ways = [ref !== null, values.modes, traces !== null].filter(Boolean).length
  if (ways === 0) throw new UsageError('REF is missing: which commit to compare with')
  if (ways > 1)
    throw new UsageError('--modes and --traces compare the working tree with itself: write one, without REF')
  if (others.length > 0) throw new UsageError(`${others.join(' ')}: only one commit is compared with`)
  return {
    ref,
    traces,
    engines: enginesOf(values.engine),
    size: sizeOf('--size', values.size),
    only: values.only?.split(',').filter((name) => name !== '') ?? [],
    seconds: positiveNumber('--seconds', values.seconds),
    rounds: Math.ceil(positiveNumber('--rounds', values.rounds)),
    data: values.data,
    results: values.results,
  }
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'both' },
      size: { type: 'string', default: 'medium' },
      only: { type: 'string' },
      modes: { type: 'boolean', default: false },
      traces: { type: 'string' },
      list: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '0.15' },
      rounds: { type: 'string', default: '30' },
      data: { type: 'string', default: pathOf('.data') },
      results: { type: 'string', default: pathOf('results') },
    },
  })
}
