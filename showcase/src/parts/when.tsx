// Times that tick.

import { useTicking } from '../../../web/clock.ts'
import { fromNow } from '../../../web/relative-time.ts'
import { exactTime, timeUntil } from '../words.ts'

type WhenProps = { time: Date; className?: string | undefined }

/** "3 min ago", with the exact time as a title. */
export function When({ time, className }: WhenProps) {
  const text = useTicking((now) => fromNow(time, now))
  return (
    <time className={className} dateTime={time.toISOString()} title={exactTime(time)}>
      {text}
    </time>
  )
}

/** "in 4:05", or what stands in its place once the time is over. */
export function Countdown({ to, over, className }: { to: Date; over: string; className?: string | undefined }) {
  const text = useTicking((now) => timeUntil(to, now) ?? over)
  return (
    <time className={className} dateTime={to.toISOString()} title={exactTime(to)}>
      {text}
    </time>
  )
}
