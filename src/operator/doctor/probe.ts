// What a check of the doctor is made of.

import type { Config } from '../../platform/config/config.ts'
import type { Check } from '../health/checks.ts'
import { GOOD } from '../health/judgement.ts'

/** Nothing of it is opened: the same checks run beside a service, before its first start, and within one. */
export type Examined = {
  readonly config: Config
  /** What is wrong with the settings, as a start would refuse them. */
  readonly settingProblems: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** It only reads. What it throws is a critical check of its own. */
export type Probe = {
  readonly name: string
  readonly title: string
  run(examined: Examined): Promise<readonly Check[]> | readonly Check[]
}

export type Part = ReturnType<typeof part>

/** The checks of one thing, in each state. */
export function part(name: string, title: string) {
  return {
    good: (detail: string): Check => ({ name, title, detail, ...GOOD }),
    warning: (detail: string, advice: string): Check => ({ name, title, detail, state: 'warning', advice }),
    critical: (detail: string, advice: string): Check => ({ name, title, detail, state: 'critical', advice }),
  }
}

/** With its first letter large and an end. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`
}
