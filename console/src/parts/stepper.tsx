import { MAX_COUNTED } from '../api/api.ts'
import styles from './stepper.module.css'

type StepperProps<Item> = {
  index: number
  items: readonly Item[]
  /** How many of the queue are before the items, on other pages. */
  start?: number
  /** The length of the queue, counted up to MAX_COUNTED. */
  waiting: number
  select: (next: Item | undefined) => void
}

/** The position in a queue, and a step forward or back. */
export function Stepper<Item>({ index, items, start = 0, waiting, select }: StepperProps<Item>) {
  // The queue may have grown since it was counted.
  const total = Math.max(waiting, start + items.length)
  return (
    <div className={styles.stepper}>
      <button type="button" onClick={() => select(items[index - 1])} disabled={index === 0} aria-label="Previous">
        ‹
      </button>
      <span>
        {start + index + 1} of {total}
        {waiting >= MAX_COUNTED && ' or more'}
      </span>
      <button
        type="button"
        onClick={() => select(items[index + 1])}
        disabled={index === items.length - 1}
        aria-label="Next"
      >
        ›
      </button>
    </div>
  )
}
