import type { Config } from '../config/config.ts'

/** Answers what to print, and with which exit code when it is not 0. What the caller did wrong is a UsageProblem. */
export type Command = (config: Config, commandLine: readonly string[]) => Promise<string | Outcome>

export type Outcome = { readonly text: string; readonly exitCode: number }

export class UsageProblem extends Error {
  readonly exitCode: number
  constructor(message: string, { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}
