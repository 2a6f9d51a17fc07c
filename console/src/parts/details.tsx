import { DateTime } from './basics.tsx'

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** All fields of an answer, so that fields which a newer server adds are shown too. */
export function Details({ value }: { value: object }) {
  const fields = flatten(value)
  if (fields.length === 0) return null
  return (
    <dl className="facts">
      {fields.map(([name, field]) => (
        <div key={name}>
          <dt>{fieldLabel(name)}</dt>
          <dd>{fieldValue(field)}</dd>
        </div>
      ))}
    </dl>
  )
}

function flatten(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, field]) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? flatten(field, `${prefix}${name} `)
      : [[prefix + name, field] as [string, unknown]],
  )
}

/** "dailyDepositLimit" → "Daily deposit limit", "profileId" → "Profile ID". */
function fieldLabel(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bid\b/, 'ID')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function fieldValue(field: unknown) {
  if (field === null || field === '') return <span className="quiet">none</span>
  if (typeof field === 'boolean') return field ? 'yes' : 'no'
  if (typeof field === 'string' && ISO_TIME.test(field)) return <DateTime at={field} />
  return Array.isArray(field) ? JSON.stringify(field) : String(field)
}
