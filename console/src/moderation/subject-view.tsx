import type { ReactNode } from 'react'
import type {
  CommentSubject,
  Decision,
  ProfileSubject,
  Subject,
  SubjectContext,
} from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { GROUNDS, TIP_STATES } from '../../../web/words/moderation.ts'
import { Badge, DateTime } from '../parts/basics.tsx'
import history from '../parts/history.module.css'
import { NamedLink } from '../parts/names.tsx'
import { recordLink } from '../records/filters.ts'
import { usePermission } from '../sign-in/session.tsx'
import { useClauseTitle } from './clause-title.ts'
import { Picture } from './picture.tsx'
import { ReasonChips } from './reason-chips.tsx'
import { actionResult, nameOf, titleOf } from './subject.ts'
import styles from './subject-view.module.css'
import { TipStateBadge } from './tip-state.tsx'

// A profile or a comment for moderators: its text comes first, then what is known of it in one line. What needs more room
// (the thread, earlier decisions) stands below the buttons, which must not move when it is loaded.

type SubjectProps = { subject: Subject }

type HeadProps = SubjectProps & {
  /** The page has the heading. */
  isOwnPage?: true
  children?: ReactNode
}

/** The top of a card: of a comment its text, large; then the heading, beside its tools. */
export function SubjectHead({ subject, isOwnPage, children }: HeadProps) {
  return (
    <>
      {subject.kind === 'comment' && <TipText subject={subject} />}
      {isOwnPage ? (
        <h2 className="hidden-text">Content</h2>
      ) : (
        <header className={subject.kind === 'comment' ? styles.tipHead : undefined}>
          <h2 id="subject-name">{titleOf(subject)}</h2>
          {children}
        </header>
      )}
      {subject.kind === 'profile' ? <ProfileContent subject={subject} /> : <TipEvent subject={subject} />}
    </>
  )
}

/** The same without a heading, for a subject inside of another card. */
export function SubjectContent({ subject }: SubjectProps) {
  if (subject.kind === 'profile') return <ProfileContent subject={subject} />
  return (
    <>
      <TipText subject={subject} />
      <TipEvent subject={subject} />
    </>
  )
}

function TipText({ subject }: { subject: CommentSubject }) {
  return <blockquote className={styles.tip}>{nameOf(subject)}</blockquote>
}

function TipEvent({ subject }: { subject: CommentSubject }) {
  const { event, market, startsAt } = subject.content
  return (
    <p className={styles.event}>
      {market}, <strong>{event}</strong>, starts <DateTime at={startsAt} />
    </p>
  )
}

function ProfileContent({ subject }: { subject: ProfileSubject }) {
  const { biography, status, picture } = subject.content
  return (
    <div className={styles.profileContent}>
      <Picture key={picture} subject={subject} />
      <div>
        <p>
          <Badge look={status === 'active' ? 'good' : 'bad'}>{status}</Badge>
        </p>
        {biography !== '' ? <blockquote>{biography}</blockquote> : <p className="quiet">No biography.</p>}
      </div>
    </div>
  )
}

/** In one line: state, flags, author. */
export function SubjectFacts({ subject }: SubjectProps) {
  const { kind, flags, flaggedAt, flagsEver, author, weight } = subject
  const facts: [string, ReactNode][] = [
    ...(kind === 'comment' ? tipFacts(subject) : []),
    ['Open flags', flags],
    ...(flaggedAt === null ? [] : [['since', <DateTime key="since" at={flaggedAt} />] satisfies [string, ReactNode]]),
    ...(flags > 0 ? [['weight', weight] satisfies [string, ReactNode]] : []),
    ...(flagsEver === undefined ? [] : [['Total flags', flagsEver] satisfies [string, ReactNode]]),
    [kind === 'profile' ? 'Profile' : 'Author', <AuthorLinks key="author" profileId={author.profileId} />],
    ['Customer', <NamedLink key="customer" kind="customer" id={author.customerId} isLabelled />],
  ]
  return (
    <>
      <ReasonChips subject={subject} />
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function tipFacts({ content: { state, featured, likes, createdAt } }: CommentSubject): [string, ReactNode][] {
  return [
    ['State', TIP_STATES[state]],
    ...(featured ? [['Featured', 'yes'] satisfies [string, ReactNode]] : []),
    ['Likes', likes],
    ['Written', <DateTime key="written" at={createdAt} />],
  ]
}

function AuthorLinks({ profileId }: { profileId: string }) {
  const may = usePermission()
  return (
    <>
      <NamedLink kind="profile" id={profileId} isLabelled />
      {may('readRecord') && (
        <>
          {', '}
          <a href={recordLink(profileId)}>record</a>
        </>
      )}
    </>
  )
}

/** `context`: undefined until it is loaded. */
export function SubjectSurroundings({ subject, context }: SubjectProps & { context: SubjectContext | undefined }) {
  return (
    <>
      {subject.kind === 'comment' && context !== undefined && <Thread subject={subject} tips={context.thread} />}
      <History subject={subject} />
    </>
  )
}

/** What else the author wrote on the same event, in the order in which it was written. */
function Thread({ subject, tips }: { subject: CommentSubject; tips: SubjectContext['thread'] }) {
  if (tips.length < 2) return null
  return (
    <section className={history.history} aria-label="The author’s tips on this event">
      <h3>The author’s tips on {subject.content.event}</h3>
      <ol>
        {tips.map(({ id, outcome, text, state, createdAt }) => (
          <li key={id} aria-current={id === subject.id ? 'true' : undefined} className={styles.threadTip}>
            {id === subject.id ? 'This one' : <a href={linkTo('comments', id)}>{outcome}</a>},{' '}
            <DateTime at={createdAt} /> {state !== 'live' && <TipStateBadge state={state} />}
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function History({ subject: { kind, decisions } }: { subject: Subject }) {
  const clauseTitle = useClauseTitle()
  return (
    <section className={history.history}>
      <h3>Earlier decisions</h3>
      {decisions.length === 0 ? (
        <p className="quiet">None yet.</p>
      ) : (
        <ol>
          {decisions.map((decision) => (
            <li key={`${decision.at} ${decision.action}`}>
              <strong>{actionResult(kind, decision.action)}</strong> by {decision.actor}, <DateTime at={decision.at} />
              {decision.overturned && (
                <>
                  {' '}
                  <Badge look="warn">overturned</Badge>
                </>
              )}
              {decision.note && <p className={history.note}>{decision.note}</p>}
              {decision.statement && <StatementLine decision={decision} clauseTitle={clauseTitle} />}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

type StatementLineProps = { decision: Decision; clauseTitle: ReturnType<typeof useClauseTitle> }

/** The text that the author received. */
export function StatementLine({ decision: { clause, ground, statement }, clauseTitle }: StatementLineProps) {
  return (
    <p className={history.note}>
      To the author ({clause !== undefined && `${clauseTitle(clause)}, `}
      {ground !== undefined && GROUNDS[ground]}): {statement}
    </p>
  )
}
