import { useEffect, useRef } from 'react'
import type { Subject } from '../../../src/operator/api-types.ts'
import { flagCount } from '../../../web/words/moderation.ts'
import review from '../parts/review.module.css'
import type { Checked } from './checked.ts'
import { type Decision, isAbout } from './decisions.ts'
import { ReasonChips } from './reason-chips.tsx'
import { actionResult, nameOf } from './subject.ts'

type QueueListProps = {
  items: Subject[]
  /** The one that is shown. */
  selected: Subject
  checked: Checked
  decisions: readonly Decision[]
  onSelect: (subject: Subject) => void
  onUndo: (key: number) => void
}

/** Decided subjects stay in the list until the queue is loaded again, so that nothing moves under the pointer. */
export function QueueList({ items, selected, checked, decisions, onSelect, onUndo }: QueueListProps) {
  const list = useRef<HTMLOListElement>(null)

  const shown = useRef(selected.id)
  useEffect(() => {
    // Not when the list appears: in Chrome the Tab key would then start here instead of at the top.
    if (shown.current === selected.id) return
    shown.current = selected.id
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [selected.id])

  return (
    <div className={review.queueColumn}>
      {checked.possible > 0 && <CheckAll checked={checked} />}
      <ol ref={list} className={review.queueList} aria-label="In the queue">
        {items.map((subject) => {
          const decision = decisions.find((one) => isAbout(one, subject))
          const decided = decision !== undefined && decision.state !== 'failed'
          return (
            <li key={subject.id} className={decided ? review.decided : undefined}>
              {checked.possible > 0 && (
                <input
                  type="checkbox"
                  aria-label={`Select ${nameOf(subject)}`}
                  disabled={decided}
                  checked={checked.items.includes(subject)}
                  onChange={({ nativeEvent }) => checked.toggle(subject, isWithShift(nativeEvent))}
                />
              )}
              <button
                type="button"
                className={review.row}
                aria-current={subject === selected ? 'true' : undefined}
                onClick={() => onSelect(subject)}
              >
                <span className={review.subjectName} data-name>
                  {nameOf(subject)}
                </span>
                <span className="quiet">{stateOf(subject, decision)}</span>
                <ReasonChips subject={subject} />
              </button>
              {decision?.state === 'pending' && (
                <button
                  type="button"
                  className="small"
                  aria-label={`Undo: ${decision.label} ${nameOf(subject)}`}
                  onClick={() => onUndo(decision.key)}
                >
                  Undo
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function CheckAll({ checked }: { checked: Checked }) {
  const box = useRef<HTMLInputElement>(null)
  const count = checked.items.length
  const isAll = count === checked.possible
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = count > 0 && !isAll
  }, [count, isAll])
  return (
    <label className={`check ${review.checkAll}`}>
      <input ref={box} type="checkbox" checked={isAll} onChange={isAll ? checked.clear : checked.checkAll} /> Select all
      shown ({checked.possible})
    </label>
  )
}

function isWithShift(event: Event): boolean {
  return 'shiftKey' in event && event.shiftKey === true
}

function stateOf(subject: Subject, decision: Decision | undefined): string {
  if (decision === undefined) return `${flagCount(subject.flags)}, weight ${subject.weight}`
  if (decision.state === 'failed')
    return decision.refusal?.status === 409 ? 'changed meanwhile' : 'not saved: decide again'
  const result = actionResult(subject.kind, decision.action)
  return decision.state === 'done' ? result : `${result}, pending`
}
