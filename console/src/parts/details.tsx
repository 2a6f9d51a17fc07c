import { DateTime } from './basics.tsx'

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Whatever fields an answer has, so that what a newer server adds is shown too. */
export function Details({ value }: { value: object }) {
  const fields = flat(value)
  if (fields.length === 0) return null
  return (
    <dl className="details">
      {fields.map(([name, field]) => (
        <div key={name}>
          <dt>{inWords(name)}</dt>
          <dd>{shown(field)}</dd>
        </div>
      ))}
    </dl>
  )
}

function flat(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, field]) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? flat(field, `${prefix}${name} `)
      : [[prefix + name, field] as [string, unknown]],
  )
}

/** "dailyDepositLimit" → "Daily deposit limit". */
export function inWords(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function shown(field: unknown) {
  if (field === null || field === '') return <span className="quiet">none</span>
  if (typeof field === 'boolean') return field ? 'yes' : 'no'
  if (typeof field === 'string' && ISO_TIME.test(field)) return <DateTime at={field} />
  return Array.isArray(field) ? JSON.stringify(field) : String(field)
}
