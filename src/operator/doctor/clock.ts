import type { Check } from '../health/checks.ts'
import { judge, type Limits } from '../health/judgement.ts'

const DIFFERENCE: Limits = {
  warning: 1_000,
  critical: 10_000,
  advice:
    'Let both machines follow a time server (chrony, systemd-timesyncd): tickets, leases and deadlines compare times.',
}

/** `ahead`: milliseconds by which the other clock is ahead of ours. */
export function clockCheck(whose: string, ahead: number): Check {
  const difference = Math.abs(ahead)
  const seconds = (difference / 1000).toFixed(difference < 10_000 ? 1 : 0)
  const words =
    difference < 100
      ? 'agrees with this machine’s'
      : `is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine’s`
  return { name: 'clock', title: 'Clock', detail: `That of ${whose} ${words}.`, ...judge(difference, DIFFERENCE) }
}

/** A header has whole seconds, and the time on the way: up to 2 s are no difference. null: there is no such header. */
export function headerClockCheck(whose: string, date: string | undefined, now: number): Check | null {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return null
  const [least, most] = [at - now, at + 1_000 - now]
  return clockCheck(whose, least > 0 ? least : Math.min(0, most + 1_000))
}
