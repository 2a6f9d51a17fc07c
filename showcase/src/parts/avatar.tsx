import { useState } from 'react'
import { initialsOf } from '../words.ts'

export type Person = { readonly id: number; readonly name: string; readonly picture?: string | undefined }

const HUES = [152, 205, 262, 330, 18, 44, 95, 180]

/** The picture, or initials on a colour of the profile's own. The name always stands beside it. */
export function Avatar({ person, size = 'medium' }: { person: Person; size?: 'small' | 'medium' | 'large' }) {
  const [hasFailed, setHasFailed] = useState(false)
  const hasPicture = !hasFailed && person.picture !== undefined && !isDefault(person.picture)
  const hue = HUES[person.id % HUES.length] ?? 152
  return (
    <span className={`avatar ${size}`} style={{ '--hue': hue } as React.CSSProperties} aria-hidden="true">
      {hasPicture ? (
        <img src={person.picture} alt="" onError={() => setHasFailed(true)} />
      ) : (
        <span>{initialsOf(person.name)}</span>
      )}
    </span>
  )
}

function isDefault(picture: string): boolean {
  return picture === '' || /\/default(\.\w+)?$/.test(picture)
}
