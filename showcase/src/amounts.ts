// Amounts of money as customers type them, checked before they are sent.

import { useState } from 'react'

type Range = { readonly min: string; readonly max?: string | undefined }

/** "12.50" as 1250; undefined: no amount. As the service reads it: 1e5, 1,000 and 0.001 are none. */
export function penceOf(text: string): number | undefined {
  const parts = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim())
  return parts === null ? undefined : Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'))
}

export const poundsOf = (pence: number): string => (pence / 100).toFixed(2)

/** What is wrong with it, for whoever typed it; undefined: it can be sent. */
export function amountProblem(text: string, { min, max }: Range): string | undefined {
  const pence = penceOf(text)
  if (pence === undefined) return 'Enter pounds and pence, such as 20 or 12.50.'
  if (pence < (penceOf(min) ?? 0)) return `The least is £${min}.`
  if (max !== undefined && pence > (penceOf(max) ?? 0)) return `The most is £${max}.`
  return undefined
}

export type Amount = {
  readonly text: string
  readonly isValid: boolean
  /** Shown once somebody has tried to send it. */
  readonly problem: string | undefined
  set(text: string): void
  /** Whether it can be sent. */
  check(): boolean
  clear(): void
}

export function useAmount(first: string, range: Range): Amount {
  const [text, setText] = useState(first)
  const [isTried, setTried] = useState(false)
  const problem = amountProblem(text, range)
  return {
    text,
    isValid: problem === undefined,
    problem: isTried ? problem : undefined,
    set: setText,
    check() {
      setTried(true)
      return problem === undefined
    },
    clear() {
      setText('')
      setTried(false)
    },
  }
}
