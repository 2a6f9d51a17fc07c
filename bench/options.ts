import { parseArgs } from 'node:util'
import { oneOf, positiveNumber } from '../scripts/command-line.js'
import type { EngineName } from './data/data-sets.ts'
import { type SizeName, sizes } from './data/sizes.ts'

export type Options = {
  engines: EngineName[]
  size: SizeName
  /** Names, or first words of names; empty: everything. */
  only: string[]
  seconds: number
  rounds: number
  growth: SizeName[]
  data: string
  results: string
}

export const USAGE = `Usage: npm run bench -- [options]

  Measures every operation of the service over HTTP, beside the baseline: a node:http server that only runs the same SQL
  on the same engine. The data set is built at the first run and cached for the next.

  --engine sqlite|postgres|both    which engine (both)
  --size small|medium|large        10,000, 100,000 or 1,000,000 profiles (medium); tiny is for testing the bench itself
  --only NAME,NAME…                only these, or those whose name begins so: profile, feed-200, settlement …
  --list                           the names for --only
  --seconds N                      length of one round (0.15)
  --rounds N                       rounds of each operation, alternating with the baseline (15)
  --growth[=small,medium,…]        also the cost of operations against the size of the data set (small beside --size)
  --data FOLDER                    where data sets are cached (bench/.data)
  --results FOLDER                 where results are written and the last ones are read (bench/results)
  --help

  A run of everything is stored as the last result of its size and engines. A run with --only is compared with the stored
  one and not stored.`

export function readOptions(args: string[]): Options | 'list' {
  const values = parse(args.map((arg) => (arg === '--growth' ? '--growth=small' : arg)))
  if (values.list) return 'list'
  const size = sizeOf('--size', values.size)
  const others = values.growth === undefined ? [] : values.growth.split(',').map((one) => sizeOf('--growth', one))
  return {
    engines: enginesOf(values.engine),
    size,
    only: values.only?.split(',').filter((name) => name !== '') ?? [],
    seconds: positiveNumber('--seconds', values.seconds),
    rounds: Math.ceil(positiveNumber('--rounds', values.rounds)),
    growth: others.filter((other) => other !== size),
    data: values.data,
    results: values.results,
  }
}

function parse(args: string[]) {
  const folder = (name: string) => new URL(name, import.meta.url).pathname
  return parseArgs({
    args,
    options: {
      engine: { type: 'string', default: 'both' },
      size: { type: 'string', default: 'medium' },
      only: { type: 'string' },
      list: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '0.15' },
      rounds: { type: 'string', default: '15' },
      growth: { type: 'string' },
      data: { type: 'string', default: folder('.data') },
      results: { type: 'string', default: folder('results') },
    },
  }).values
}

export function enginesOf(name: string): EngineName[] {
  const engine = oneOf('--engine', name, ['sqlite', 'postgres', 'both'])
  return engine === 'both' ? ['sqlite', 'postgres'] : [engine]
}

export function sizeOf(option: string, name: string): SizeName {
  return oneOf(option, name, Object.keys(sizes) as SizeName[])
}
