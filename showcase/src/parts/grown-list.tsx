import { type ReactNode, useEffect, useRef } from 'react'
import type { Grown } from '../grow.ts'
import styles from './grown-list.module.css'
import { ProblemPanel, Skeletons } from './states.tsx'

type GrownListProps<Item> = {
  label: string
  list: Grown<Item>
  empty: ReactNode
  shape?: 'tip' | 'row'
  children: (item: Item) => ReactNode
  keyOf: (item: Item) => number | string
}

/** Loads more when its end comes into view; the button does the same, for the keyboard. */
export function GrownList<Item>({ label, list, empty, shape = 'tip', children, keyOf }: GrownListProps<Item>) {
  const { items, error, isLoading, hasMore } = list
  return (
    <>
      {error !== undefined && <ProblemPanel error={error} retry={list.reload} />}
      {items !== undefined && items.length > 0 && (
        <ul className={`list ${shape}s`} aria-label={label}>
          {items.map((item) => (
            <li key={keyOf(item)}>{children(item)}</li>
          ))}
        </ul>
      )}
      {items?.length === 0 && empty}
      {items === undefined && error === undefined && <Skeletons shape={shape} count={shape === 'tip' ? 3 : 5} />}
      {hasMore && <MoreButton isLoading={isLoading} more={list.more} />}
    </>
  )
}

function MoreButton({ isLoading, more }: { isLoading: boolean; more(): void }) {
  const button = useRef<HTMLButtonElement>(null)
  const act = useRef(more)
  act.current = isLoading ? () => undefined : more
  // Watched again after each load: the end of the list may still be in view.
  useEffect(() => {
    if (isLoading) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) act.current()
      },
      { rootMargin: '200px' },
    )
    if (button.current !== null) observer.observe(button.current)
    return () => observer.disconnect()
  }, [isLoading])
  return (
    <button ref={button} type="button" className={styles.more} aria-disabled={isLoading} onClick={() => act.current()}>
      {isLoading ? 'Loading …' : 'Show more'}
    </button>
  )
}
