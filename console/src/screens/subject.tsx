import { useEffect, useRef, useState } from 'react'
import { type Decisions, isAbout, useDecisions } from '../decisions.ts'
import { useLoaded } from '../loading.ts'
import { ActionBar } from '../parts/action-bar.tsx'
import { Progress, ScreenHead } from '../parts/basics.tsx'
import { Finder } from '../parts/finder.tsx'
import { Problem } from '../parts/problem.tsx'
import { SubjectView } from '../parts/subject-view.tsx'
import { useMay } from '../session.tsx'
import { useKeys } from '../shortcuts.tsx'
import { actionsFor, type Kind, type Subject, titleOf } from '../subject.ts'
import { DecisionState } from './queue.tsx'

/** A profile or a comment, in the queue or not, with its history. */
export function SubjectScreen({ kind, id, decisions }: { kind: Kind; id: string; decisions: Decisions }) {
  const { answer, refusal, loading, reload, replace } = useLoaded<Subject>(
    `/moderation/${kind}s/${encodeURIComponent(id)}`,
  )
  const decision = useDecisions(decisions).find((one) => isAbout(one, { kind, id }))
  const shown = useRef<number>(undefined)

  // The answer of a decision is what the subject is now.
  useEffect(() => {
    if (decision?.state !== 'done' || shown.current === decision.key) return
    shown.current = decision.key
    if (decision.after?.content) replace(decision.after)
    else reload()
  }, [decision, replace, reload])

  useKeys({ u: () => decisions.undo() })
  const open = decision === undefined || decision.state === 'failed' || decision.state === 'done'
  return (
    <>
      <ScreenHead title={`${kind === 'profile' ? 'Profile' : 'Comment'} ${id}`}>
        <Finder key={kind} kind={`${kind}s`} />
      </ScreenHead>
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && (
        <article className="card" aria-labelledby="subject-name">
          <header>
            <h2 id="subject-name">{titleOf(answer)}</h2>
          </header>
          <SubjectView subject={answer} />
          {decision && decision.state !== 'done' && (
            <DecisionState decision={decision} onUndo={() => decisions.undo(decision.key)} />
          )}
          {open && <Deciding subject={answer} decisions={decisions} />}
        </article>
      )}
    </>
  )
}

function Deciding({ subject, decisions }: { subject: Subject; decisions: Decisions }) {
  const may = useMay()
  const [note, setNote] = useState('')
  const canDecide = may(`POST /moderation/${subject.kind}s/{id}`)
  const decide = (action: string, label: string) => decisions.decide({ subject, action, label, note: note.trim() })
  const offered = canDecide ? actionsFor(subject) : []
  useKeys(Object.fromEntries(offered.map(({ key, action, label }) => [key, () => decide(action, label)])))
  if (!canDecide) return <p className="quiet">Your role may read this, not decide.</p>
  return (
    <ActionBar subject={subject} note={note} onNote={setNote} onAction={({ action, label }) => decide(action, label)} />
  )
}
