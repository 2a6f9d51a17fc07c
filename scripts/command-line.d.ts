export class UsageError extends Error {}
export function readCommandLine<T>(usage: string, read: (args: string[]) => T): T
export function refuseArguments(usage: string): void
export function positiveNumber(option: string, text: string): number
export function oneOf<T extends string>(option: string, text: string, choices: readonly T[]): T
