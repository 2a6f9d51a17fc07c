import { type Ref, useSyncExternalStore } from 'react'
import { Icon } from '../../../web/icons.tsx'
import { recorder } from '../recorder.ts'
import { Method, Status } from './exchange-status.tsx'
import { pathOf } from './groups.ts'
import styles from './strip.module.css'

/** What the drawer is on a wide screen until it is opened: the newest request, at the edge of the window. */
export function DrawerStrip({ open, ref }: { open(): void; ref: Ref<HTMLButtonElement> }) {
  const [newest] = useSyncExternalStore(recorder.subscribe, recorder.snapshot)
  return (
    <button
      ref={ref}
      type="button"
      className={styles.strip}
      aria-expanded={false}
      title="Requests and answers"
      onClick={open}
    >
      <Icon name="code" />
      <span className={styles.title}>Requests and answers</span>
      {newest !== undefined && (
        <span className={styles.newest} aria-hidden="true">
          <Method method={newest.method} />
          <span className={styles.path}>{pathOf(newest)}</span>
          <Status exchange={newest} />
        </span>
      )}
    </button>
  )
}
