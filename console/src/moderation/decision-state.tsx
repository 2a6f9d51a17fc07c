import { KeyHint } from '../parts/key-hint.tsx'
import { Problem } from '../parts/problem.tsx'
import review from '../parts/review.module.css'
import { type Decision, type Decisions, useDecisions } from './decisions.ts'
import { actionResult } from './subject.ts'

/** The state of the decision on the subject that is shown. */
export function DecisionState({ decision, decisions }: { decision: Decision; decisions: Decisions }) {
  const { key, state, subject, action, refusal } = decision
  const last = useDecisions(decisions).findLast((one) => one.state === 'pending')
  const result = actionResult(subject.kind, action)
  if (state === 'failed' && refusal) return <Problem refusal={{ ...refusal, title: `Not saved: ${result}` }} />
  return (
    <p className={review.decisionState}>
      {state === 'done' ? `Decided: ${result}.` : `Pending: ${result}. Not sent yet.`}{' '}
      {state === 'pending' && (
        <button type="button" onClick={() => decisions.undo(key)}>
          Undo {last?.key === key && <KeyHint letter="u" />}
        </button>
      )}
    </p>
  )
}
