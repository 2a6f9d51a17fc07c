import { useEffect, useRef } from 'react'
import type { Subject } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { useDraft } from '../parts/drafts.ts'
import { ResourceView } from '../parts/resource-view.tsx'
import { useKeys } from '../parts/shortcuts.tsx'
import { Viewers } from '../parts/viewers.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { ActionBar } from './action-bar.tsx'
import { ContextPanel, useSubjectContext } from './context-panel.tsx'
import { DecisionState } from './decision-state.tsx'
import { type Decisions, isAbout, useDecisions } from './decisions.ts'
import { type ActionName, actionsFor, CALLS, type Kind, noteDraftKey, titleOf } from './subject.ts'
import { SubjectMarks } from './subject-marks.tsx'
import styles from './subject-screen.module.css'
import { SubjectFacts, SubjectHead, SubjectSurroundings } from './subject-view.tsx'

/** A profile or a comment with its history, whether it is in the queue or not. */
export function SubjectScreen({ kind, id, decisions }: { kind: Kind; id: string; decisions: Decisions }) {
  const resource = useResource(CALLS[kind].read, { id })
  const { reload, replace } = resource
  const title = resource.answer ? titleOf(resource.answer) : kind === 'profile' ? 'Profile' : 'Tip'
  const context = useSubjectContext(kind, id, decisions)
  const decision = useDecisions(decisions).find((one) => isAbout(one, { kind, id }))
  const shown = useRef<number>(undefined)

  // The answer to a decision contains the current subject, also when it was refused because the subject had changed.
  useEffect(() => {
    const isOver = decision?.state === 'done' || decision?.state === 'failed'
    if (!isOver || shown.current === decision.key) return
    shown.current = decision.key
    const now = decision.after ?? decision.refusal?.current
    if (now !== undefined) replace(now)
    else if (decision.state === 'done') reload()
  }, [decision, replace, reload])

  useKeys({ undo: () => decisions.undo() })
  const open = decision === undefined || decision.state === 'failed' || decision.state === 'done'
  return (
    <>
      <ScreenHeader title={title} id={id} />
      <ResourceView resource={resource}>
        {(subject) => (
          <div className={styles.beside}>
            <article className="card" aria-label={title}>
              <SubjectHead subject={subject} isOwnPage />
              <Viewers item={{ kind, id }} />
              <SubjectFacts subject={subject} />
              {decision && decision.state !== 'done' && <DecisionState decision={decision} decisions={decisions} />}
              {open && <DecisionForm subject={subject} decisions={decisions} />}
              <SubjectMarks subject={subject} onChange={replace} />
              <SubjectSurroundings subject={subject} context={context?.answer} />
            </article>
            <ContextPanel kind={kind} id={id} resource={context} decisions={decisions} />
          </div>
        )}
      </ResourceView>
    </>
  )
}

function DecisionForm({ subject, decisions }: { subject: Subject; decisions: Decisions }) {
  const may = usePermission()
  const { text: note, set: setNote } = useDraft(noteDraftKey(subject))
  const canDecide = may(CALLS[subject.kind].decide)
  const decide = (action: ActionName, label: string) => decisions.decide({ subject, action, label, note: note.trim() })
  const offered = canDecide ? actionsFor(subject) : []
  useKeys({}, Object.fromEntries(offered.map(({ key, action, label }) => [key, () => decide(action, label)])))
  if (!canDecide) return <p className="quiet">Your role can view this but not decide.</p>
  return (
    <ActionBar
      drafts={subject}
      actions={offered}
      note={note}
      onNote={setNote}
      onAction={({ action, label }) => decide(action, label)}
    />
  )
}
