import { DateTime } from './basics.tsx'

/** An event beside a tip or a bet, with its time. */
export function EventName({ event, startsAt }: { event: string; startsAt: string }) {
  return (
    <>
      {event}, <DateTime at={startsAt} />
    </>
  )
}
