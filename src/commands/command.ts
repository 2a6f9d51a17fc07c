import type { Config } from '../config/config.ts'

/** Returns what to print, with the exit code if it is not 0. Throws CommandError for what the caller can correct. */
export type Command = (config: Config, commandLine: readonly string[]) => Promise<string | CommandResult>

export type CommandResult = { readonly text: string; readonly exitCode: number }

export class CommandError extends Error {
  readonly exitCode: number
  constructor(message: string, { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}
