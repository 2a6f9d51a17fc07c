import { minuteText } from '../../platform/runtime/iso-time.ts'

/** An event with its time, for texts: "Derby v Leeds (2026-03-14 15:00 UTC)". Teams meet more than once. */
export function timedEvent({ event, starts_at }: { event: string; starts_at: number }): string {
  return `${event} (${minuteText(starts_at)} UTC)`
}
