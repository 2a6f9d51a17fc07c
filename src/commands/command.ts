import type { Config } from '../config.ts'

/** Answers what to print. What the caller did wrong is thrown as UsageProblem. */
export type Command = (config: Config, commandLine: readonly string[]) => Promise<string>

export class UsageProblem extends Error {}
