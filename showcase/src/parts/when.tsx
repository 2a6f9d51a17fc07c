// Times that tick.

import { useTicking } from '../../../web/clock.ts'
import { exactTime, fromNow } from '../words.ts'

type WhenProps = { time: Date; className?: string | undefined }

/** "3 min. ago", with the exact time as a title. */
export function When({ time, className }: WhenProps) {
  const text = useTicking((now) => fromNow(time, now))
  return (
    <time className={className} dateTime={time.toISOString()} title={exactTime(time)}>
      {text}
    </time>
  )
}
