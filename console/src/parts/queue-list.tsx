import { useEffect, useRef } from 'react'
import type { Subject } from '../../../src/operator/api-types.ts'
import { type Decision, isAbout } from '../decisions.ts'
import { actionResult, nameOf } from '../subject.ts'

type QueueListProps = {
  items: Subject[]
  selected: Subject
  decisions: readonly Decision[]
  onSelect: (subject: Subject) => void
  onUndo: (key: number) => void
}

/** Decided subjects stay in the list until the queue is loaded again, so that nothing moves under the pointer. */
export function QueueList({ items, selected, decisions, onSelect, onUndo }: QueueListProps) {
  const list = useRef<HTMLOListElement>(null)

  const shown = useRef(selected.id)
  useEffect(() => {
    // Not when the list appears: in Chrome the Tab key would then start here instead of at the top.
    if (shown.current === selected.id) return
    shown.current = selected.id
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [selected.id])

  return (
    <ol ref={list} className="queue-list" aria-label="In the queue">
      {items.map((subject) => {
        const decision = decisions.find((one) => isAbout(one, subject))
        const decided = decision !== undefined && decision.state !== 'failed'
        return (
          <li key={subject.id} className={decided ? 'decided' : undefined}>
            <button
              type="button"
              className="row"
              aria-current={subject === selected ? 'true' : undefined}
              onClick={() => onSelect(subject)}
            >
              <span className="subject-name">{nameOf(subject)}</span>
              <span className="quiet">{stateOf(subject, decision)}</span>
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
  )
}

function stateOf(subject: Subject, decision: Decision | undefined): string {
  if (decision === undefined) return `${subject.flags} ${subject.flags === 1 ? 'flag' : 'flags'}`
  if (decision.state === 'failed')
    return decision.refusal?.status === 409 ? 'changed meanwhile' : 'not saved: decide again'
  const result = actionResult(subject.kind, decision.action)
  return decision.state === 'done' ? result : `${result}, pending`
}
