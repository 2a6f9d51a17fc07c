import { minuteText } from '../../platform/runtime/iso-time.ts'

/** An event with its time, for texts: "Derby v Leeds (2026-03-14 15:00 UTC)". Teams meet more than once. */
export function timedEvent({ event_name, start_time }: { event_name: string; start_time: number }): string {
  return `${event_name} (${minuteText(start_time)} UTC)`
}
