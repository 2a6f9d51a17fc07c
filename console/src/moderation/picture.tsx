import { useState } from 'react'
import type { ProfileSubject } from '../../../src/operator/api-types.ts'
import styles from './picture.module.css'
import { nameOf, pictureOf } from './subject.ts'

/** A grey square where the picture cannot be loaded. */
export function Picture({ subject, isSmall = false }: { subject: ProfileSubject; isSmall?: boolean }) {
  const [broken, setBroken] = useState(false)
  const className = isSmall ? `${styles.picture} ${styles.small}` : styles.picture
  if (broken) return <span className={className} aria-hidden="true" />
  const size = isSmall ? 40 : 88
  return (
    <img
      className={className}
      src={pictureOf(subject)}
      width={size}
      height={size}
      alt={`Profile of ${nameOf(subject)}`}
      onError={() => setBroken(true)}
    />
  )
}
