import type { ServerProcess } from '../processes.ts'

/** A server that offers some of the service's operations on the same data. */
export type Peer = {
  readonly name: 'postgraphile' | 'parse'
  readonly title: string
  /** The package that it is. */
  readonly package: string
  /** The request that does the same as a handler of the baseline with these values; null: its API cannot express this. */
  request(handler: string, values: readonly string[]): Buffer | null
  isExpected(status: number, answer: string): boolean
  /** The ids that an answer has, to compare with those of the service. */
  ids(answer: unknown): string[]
  /** Fills a copy of our data set, and starts the server on it. */
  start(url: string, log: (line: string) => void): Promise<ServerProcess>
}
