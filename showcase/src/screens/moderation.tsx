import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { dayText } from '../../../web/relative-time.ts'
import { linkTo } from '../../../web/route.ts'
import { RULES } from '../../../web/words/moderation.ts'
import type { Decision } from '../answers.ts'
import { useGrowing } from '../grow.ts'
import { useLive } from '../live.tsx'
import { Form } from '../parts/form.tsx'
import { GrownList } from '../parts/grown-list.tsx'
import { Empty, ProblemPanel } from '../parts/states.tsx'
import suggestion from '../parts/suggestion.module.css'
import { When } from '../parts/when.tsx'
import { useReloadOn } from '../reload.ts'
import { useSession } from '../session.tsx'
import { useToast } from '../toasts.tsx'
import styles from './moderation.module.css'

export default function Moderation() {
  const { paddock } = useSession()
  const decisions = useGrowing('decisions', () => paddock.each.getMyModeration({ blockSize: 20 }))
  useReloadOn(useLive().version, decisions.reload)
  return (
    <>
      <h1>Decisions</h1>
      <p className="lead">What moderators decided on your content, with their reasons, and on what you flagged.</p>
      <GrownList
        label="Decisions"
        list={decisions}
        keyOf={({ id, party }) => `${party} ${id}`}
        empty={
          <Empty title="No decisions">
            <p>Flag a tip, decide as a moderator in the sandbox, and read here what came of it.</p>
          </Empty>
        }
      >
        {(decision) => <DecisionCard decision={decision} reload={decisions.reload} />}
      </GrownList>
    </>
  )
}

const ACTIONS: Readonly<Record<string, string>> = {
  remove: 'Your tip was removed',
  hold: 'Your tip waits for a moderator',
  publish: 'Your tip was published',
  restore: 'Your tip was restored',
  keep: 'Your content was left as it is',
  'reset-picture': 'Your picture was removed',
  'reset-name': 'Your name was reset',
  'reset-biography': 'Your biography was removed',
  deactivate: 'Your profile was deactivated',
  reactivate: 'Your profile was reactivated',
}

function titleOf({ party, action, isUpheld, type }: Decision): string {
  if (party === 'author') return ACTIONS[action ?? ''] ?? 'A moderator decided on your content'
  const subject = type === 'comment' ? 'tip' : 'profile'
  if (!isUpheld) return `The ${subject} that you flagged stays as it is`
  return type === 'comment'
    ? 'The tip that you flagged was removed'
    : 'Something was done about the profile that you flagged'
}

function DecisionCard({ decision, reload }: { decision: Decision; reload(): void }) {
  const { createdDateTimeZoned, statement, text, clause, isOverturned, isAppealable, appeal } = decision
  // One of the operator's own has no title here: its text is the statement.
  const rule = RULES[clause ?? '']
  return (
    <article className={`surface ${styles.decision}`}>
      <header>
        <h2>{titleOf(decision)}</h2>
        <When className="quiet" time={createdDateTimeZoned} />
      </header>
      {text !== undefined && <Removed decision={decision} text={text} />}
      {statement !== undefined && (
        <div>
          <h3>Why</h3>
          <p>{statement}</p>
        </div>
      )}
      <p className="quiet">
        {rule !== undefined && <>Rule: {rule} · </>}
        <Subject decision={decision} />
        {isOverturned && ' · overturned later'}
      </p>
      {appeal !== undefined && <AppealState appeal={appeal} />}
      {isAppealable && <AppealForm decision={decision} done={reload} />}
    </article>
  )
}

const SUBJECTS: Readonly<Record<string, string>> = {
  'reset-name': 'Your name was',
  'reset-biography': 'Your biography was',
}

/** What the author wrote: nobody else sees it any more. */
function Removed({ decision: { action = '' }, text }: { decision: Decision; text: string }) {
  return (
    <div>
      <h3>{SUBJECTS[action] ?? 'You wrote'}</h3>
      <blockquote>{text}</blockquote>
    </div>
  )
}

/** A tip that was removed has no page. */
function Subject({ decision: { party, action, isOverturned, type, subjectId } }: { decision: Decision }) {
  const name = `${type === 'comment' ? 'Tip' : 'Profile'} ${subjectId}`
  if (party === 'author' && (action === 'remove' || action === 'hold') && !isOverturned) return name
  return <a href={linkTo(type === 'comment' ? 'tips' : 'profiles', subjectId)}>{name}</a>
}

const STATES: Readonly<Record<string, string>> = {
  open: 'You appealed. A moderator will answer.',
  upheld: 'You appealed. The decision stays.',
  overturned: 'Your appeal succeeded.',
  withdrawn: 'Your appeal ended without an answer.',
}

function AppealState({ appeal }: { appeal: NonNullable<Decision['appeal']> }) {
  return (
    <div className={`${suggestion.suggestion} ${styles.appeal}`}>
      <p>
        <strong>{STATES[appeal.state] ?? 'You appealed.'}</strong>
      </p>
      <p>“{appeal.text}”</p>
      {appeal.reply !== undefined && <p>Answer: {appeal.reply}</p>}
    </div>
  )
}

function AppealForm({ decision, done }: { decision: Decision; done(): void }) {
  const { paddock } = useSession()
  const toast = useToast()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { run, error, isBusy } = useAction(async () => {
    await paddock.appealDecision({ decisionId: decision.id, text })
    toast({ icon: 'scales', text: 'Your appeal is with the moderators' })
    done()
  })
  const until = decision.appealUntilDateTimeZoned
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)}>
        Appeal{until !== undefined && ` until ${dayText(until)}`}
      </button>
    )
  }
  return (
    <Form run={run}>
      <div className="field">
        <label htmlFor={id}>Why the decision is wrong</label>
        <textarea
          id={id}
          rows={3}
          required
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {error !== undefined && <ProblemPanel error={error} />}
      <button type="submit" className="primary" aria-disabled={isBusy}>
        Send appeal
      </button>
    </Form>
  )
}
