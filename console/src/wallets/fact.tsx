import type { ReactNode } from 'react'
import styles from './fact.module.css'

/** A name and its value, in a list of facts. `isLong`: a sentence, which has a line of its own. */
export function Fact({ name, isLong, children }: { name: string; isLong?: true; children: ReactNode }) {
  return (
    <div className={isLong && styles.long}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
