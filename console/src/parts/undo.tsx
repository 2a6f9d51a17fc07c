import styles from './undo.module.css'

/** How long a decision or a money action can be undone before it is sent. As long as the countdown in undo.module.css. */
export const UNDO_MS = 5_000

/** Shows how much of that time is left. */
export function UndoCountdown() {
  return <span className={styles.countdown} aria-hidden="true" />
}
