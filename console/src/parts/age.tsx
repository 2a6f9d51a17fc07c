import { useTicking } from '../../../web/clock.ts'

const UNITS: readonly [name: string, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** In the largest unit that fits: "3 hours". */
function ageText(since: string, now: number): string {
  const age = Math.max(0, now - Date.parse(since))
  const [name, ms] = UNITS.find((unit) => age >= unit[1]) ?? ['', 0]
  if (ms === 0) return 'less than a minute'
  const count = Math.floor(age / ms)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** How long something has waited; it ticks. */
export function Age({ since }: { since: string }) {
  const text = useTicking((now) => ageText(since, now))
  return (
    <time dateTime={since} title={since}>
      {text}
    </time>
  )
}
