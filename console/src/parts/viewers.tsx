import { type Item, useViewers } from '../api/live.tsx'
import styles from './viewers.module.css'

/** Who else has this item open. Screen readers announce a change. */
export function Viewers({ item }: { item: Item }) {
  const others = useViewers(item)
  return (
    <p className={styles.viewers} role="status">
      {others.length > 0 && `Also viewing: ${others.join(', ')}`}
    </p>
  )
}
