import { useEffect, useRef, useState } from 'react'
import type { SubjectContext } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { MAX_COUNTED } from '../api/api.ts'
import { type Resource, useResource } from '../api/resource.ts'
import { Badge, DateTime } from '../parts/basics.tsx'
import { EventName } from '../parts/event-name.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { recordLink } from '../records/filters.ts'
import { perCent, signed } from '../records/texts.ts'
import { usePermission } from '../sign-in/session.tsx'
import { AuthorActions } from './author-actions.tsx'
import { ContextFlags } from './context-flags.tsx'
import styles from './context-panel.module.css'
import { type Decisions, isAbout, useDecisions } from './decisions.ts'
import { Picture } from './picture.tsx'
import { actionResult, CALLS, type Kind } from './subject.ts'
import { TipStateBadge } from './tip-state.tsx'

/** null: the role may not read it. */
type ContextResource = Resource<SubjectContext> | null

/** What helps to decide on the subject. */
export function useSubjectContext(kind: Kind, id: string, decisions: Decisions): ContextResource {
  const may = usePermission()
  const restedId = useRested(id)
  const allowed = may(CALLS[kind].context)
  const resource = useResource(allowed ? CALLS[kind].context : null, { id: restedId })
  useReloadAfterDecisions(resource, { kind, id: restedId }, decisions)
  if (!allowed) return null
  return restedId === id ? resource : { ...resource, answer: undefined, loading: true }
}

type ContextPanelProps = { kind: Kind; id: string; resource: ContextResource; decisions: Decisions }

/** Who flagged the subject, its author, the author's tips and earlier decisions. */
export function ContextPanel({ kind, id, resource, decisions }: ContextPanelProps) {
  if (resource === null) return null
  return (
    <aside className={`card ${styles.context}`} aria-label="Context" aria-busy={resource.loading}>
      <ResourceView resource={resource}>
        {(context) => (
          <>
            <ContextFlags flags={context.flags} onChange={resource.reload} />
            <Author kind={kind} context={context} decisions={decisions} />
            <Tips context={context} id={kind === 'comment' ? id : undefined} />
            <EarlierDecisions kind={kind} context={context} />
          </>
        )}
      </ResourceView>
    </aside>
  )
}

const REST_MS = 150

/** The id once it has stayed for a moment: who steps through the queue reads, and leaves in the audit trail, only what is looked at. */
function useRested(id: string): string {
  const [rested, setRested] = useState(id)
  useEffect(() => {
    const timer = setTimeout(() => setRested(id), REST_MS)
    return () => clearTimeout(timer)
  }, [id])
  return rested
}

/** A decision on the subject or its author changes verdicts, counts and what can be done. */
function useReloadAfterDecisions(
  { answer, reload }: { answer: SubjectContext | undefined; reload: () => void },
  subject: { kind: Kind; id: string },
  decisions: Decisions,
): void {
  const author = { kind: 'profile' as const, id: answer?.author.id ?? '' }
  const saved = useDecisions(decisions)
    .filter((one) => one.state === 'done' && (isAbout(one, subject) || isAbout(one, author)))
    .map(({ key }) => key)
    .join()
  const seen = useRef(saved)
  useEffect(() => {
    if (saved === seen.current) return
    seen.current = saved
    if (saved !== '') reload()
  }, [saved, reload])
}

type PartProps = { kind: Kind; context: SubjectContext }

function Author({ kind, context, decisions }: PartProps & { decisions: Decisions }) {
  const { author, record } = context
  return (
    <section aria-label="Author">
      <h3>Author</h3>
      {kind === 'comment' && (
        <div className={styles.author}>
          <Picture key={author.content.picture} subject={author} isSmall />
          <p>
            <a href={linkTo('profiles', author.id)}>{author.content.name}</a>{' '}
            <Badge look={author.content.status === 'active' ? 'good' : 'bad'}>{author.content.status}</Badge>
            {author.premoderated && (
              <>
                {' '}
                <Badge look="warn">pre-moderated</Badge>
              </>
            )}
            {author.flags > 0 && (
              <>
                {' '}
                <Badge look="warn">profile flagged</Badge>
              </>
            )}
          </p>
        </div>
      )}
      <p>
        <RecordLine record={record} profileId={author.id} />
      </p>
      {kind === 'comment' && <AuthorActions author={author} decisions={decisions} />}
    </section>
  )
}

function RecordLine({ record, profileId }: { record: SubjectContext['record']; profileId: string }) {
  const { numSettled, numWon, numLost, profit, yield: mean } = record
  if (numSettled === 0) return <>No settled tips in the record.</>
  return (
    <>
      <a href={recordLink(profileId)}>Record</a>: {numSettled} settled, {numWon} won, {numLost} lost, {signed(profit)}{' '}
      points
      {mean !== undefined && `, yield ${perCent(mean)}`}.
    </>
  )
}

function Tips({ context: { tips }, id }: { context: SubjectContext; id: string | undefined }) {
  const others = tips.latest.filter((tip) => tip.id !== id)
  return (
    <section aria-label="Latest tips">
      <h3>
        Latest tips{' '}
        <span className="quiet">
          of {tips.count}
          {tips.count >= MAX_COUNTED && ' or more'}
        </span>
      </h3>
      {others.length === 0 && <p className="quiet">{tips.count === 0 ? 'None.' : 'No others.'}</p>}
      <ul className={styles.list}>
        {others.map((tip) => (
          <li key={tip.id}>
            <a href={linkTo('comments', tip.id)}>{tip.outcome}</a>, <EventName {...tip} />{' '}
            {tip.state !== 'live' && <TipStateBadge state={tip.state} />}
            <p className={`hint ${styles.tipText}`}>{tip.text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MAX_SHOWN = 5

/** On the tips, and of a comment's author also on the profile; those on the subject itself are shown with it. */
function EarlierDecisions({ kind, context: { author, decisionsOnTips } }: PartProps) {
  const onProfile = kind === 'comment' ? author.decisions.slice(-MAX_SHOWN).reverse() : []
  if (onProfile.length === 0 && decisionsOnTips.length === 0) return null
  return (
    <section aria-label="Decisions on the author">
      <h3>Decisions on the author</h3>
      <ul className={styles.list}>
        {onProfile.map(({ action, actor, at, note }) => (
          <li key={`profile ${at} ${action}`}>
            <a href={linkTo('profiles', author.id)}>Profile</a> {actionResult('profile', action)} by {actor},{' '}
            <DateTime at={at} />
            {note !== '' && <p className="hint">{note}</p>}
          </li>
        ))}
        {decisionsOnTips.map(({ commentId, action, actor, at, note }) => (
          <li key={`${commentId} ${at} ${action}`}>
            <a href={linkTo('comments', commentId)}>Tip {commentId}</a> {actionResult('comment', action)} by {actor},{' '}
            <DateTime at={at} />
            {note !== '' && <p className="hint">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
