import { useState } from 'react'
import type { Appeal, NewAppealDecision } from '../../../src/operator/api-types.ts'
import { useCall } from '../parts/call.ts'
import { useDraft } from '../parts/drafts.ts'
import { Field, SelectField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import actionBar from './action-bar.module.css'
import { MAX_NOTE_LENGTH, useModerationTexts } from './action-bar.tsx'
import { isRestricting, type Reasons } from './reasons.ts'
import { ReasonsForm } from './reasons-form.tsx'
import { type Action, actionsFor } from './subject.ts'

type AppealFormProps = { appeal: Appeal; onDecided: (appeal: Appeal) => void }

/** The reply, and the outcome. A reporter's appeal is overturned by the action that was missing. */
export function AppealForm({ appeal, onDecided }: AppealFormProps) {
  const { me } = useSession()
  const may = usePermission()
  const { reply, setReply, putBack, setPutBack, busy, refusal, decide, ...taken } = useAnswer(appeal, onDecided)
  const isBlank = reply.trim() === ''
  const isRestricted = appeal.party === 'reporter' && taken.possible.length === 0
  const submit = (outcome: NewAppealDecision['outcome']) => !isBlank && decide(outcome)

  if (appeal.state !== 'open') return <p className="quiet">Reply: {appeal.reply}</p>
  if (!may('decideAppeal')) return <p className="quiet">Your role can view appeals but not decide.</p>
  return (
    <section className={actionBar.actionBar} aria-label="Decide the appeal">
      {appeal.decision.actor === me.name && (
        <p className="warning">
          You made this decision: somebody else must decide the appeal, where there is somebody.
        </p>
      )}
      <Field label="Reply (sent to whoever appealed)">
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            maxLength={MAX_NOTE_LENGTH}
            value={reply}
            onChange={(event) => setReply(event.target.value)}
          />
        )}
      </Field>
      {appeal.party === 'reporter' && <ActionNow {...taken} />}
      {appeal.putsBack && (
        <label className="check">
          <input type="checkbox" checked={putBack} onChange={(event) => setPutBack(event.target.checked)} /> If
          overturned, put back what was there
        </label>
      )}
      {refusal && <Problem refusal={refusal} />}
      <div className="buttons">
        <button type="button" className="primary" aria-disabled={busy || isBlank} onClick={() => submit('upheld')}>
          Uphold the decision
        </button>
        {!isRestricted && (
          <button type="button" aria-disabled={busy || isBlank} onClick={() => submit('overturned')}>
            Overturn it
          </button>
        )}
        {isBlank && <p className="quiet">Write a reply first.</p>}
        {isRestricted && (
          <p className="quiet">Nothing is left to restrict: uphold the decision, and say so in the reply.</p>
        )}
      </div>
    </section>
  )
}

function useAnswer(appeal: Appeal, onDecided: (appeal: Appeal) => void) {
  const { api } = useSession()
  const notify = useNotice()
  const { text: reply, set: setReply, discard } = useDraft(`reply to appeal ${appeal.id}`)
  const [putBack, setPutBack] = useState(true)
  const possible = actionsFor(appeal.subject).filter(({ action }) => isRestricting(action))
  const [action, setAction] = useState<string>(possible[0]?.action ?? '')
  const [reasons, setReasons] = useState<Reasons | undefined>()
  const { busy, refusal, run } = useCall(async (outcome: NewAppealDecision['outcome']) => {
    const taken = appeal.party === 'reporter' && outcome === 'overturned' ? { action, ...reasons } : {}
    const body = { outcome, reply, version: appeal.version, putBack, ...taken } as NewAppealDecision
    const answer = await api('decideAppeal', { id: appeal.id, body })
    discard()
    notify(`Appeal ${outcome}. Saved.`)
    onDecided(answer)
  })

  return {
    ...{ reply, setReply, putBack, setPutBack, busy, refusal, decide: run },
    ...{ possible, action, setAction, reasons, setReasons },
  }
}

type ActionNowProps = {
  possible: readonly Action[]
  action: string
  setAction: (action: string) => void
  reasons: Reasons | undefined
  setReasons: (reasons: Reasons | undefined) => void
}

/** What is done if the rejection of a flag is overturned. */
function ActionNow({ possible, action, setAction, reasons, setReasons }: ActionNowProps) {
  const texts = useModerationTexts()
  if (possible.length === 0) return null
  return (
    <>
      <SelectField
        label="If overturned"
        value={action}
        onChange={setAction}
        options={possible.map((one) => ({ value: one.action, label: one.label }))}
      />
      <ReasonsForm clauses={texts?.clauses ?? []} reasons={reasons} onChange={setReasons} />
    </>
  )
}
