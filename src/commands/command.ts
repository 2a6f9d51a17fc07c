import type { Config } from '../platform/config/config.ts'

/**
 * Gets as many arguments as usage.ts declares, and the options. Returns what to print, with the exit code if it is not 0.
 * Throws UsageError for a wrong argument, CommandError for what else the caller can correct.
 */
export type Command = (config: Config, given: readonly string[], options: Options) => Promise<string | CommandResult>

/** A flag that was given is ''. */
export type Options = { readonly [name: string]: string | undefined }

export type CommandResult = { readonly text: string; readonly exitCode: number }

/** The message is printed with the usage of the command. */
export class UsageError extends Error {}

export class CommandError extends Error {
  readonly exitCode: number
  constructor(message: string, { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}
