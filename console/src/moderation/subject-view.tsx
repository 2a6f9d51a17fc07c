import type { CommentSubject, Decision, ProfileSubject, Subject } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { Badge, DateTime } from '../parts/basics.tsx'
import { Details } from '../parts/details.tsx'
import history from '../parts/history.module.css'
import { recordLink } from '../records/filters.ts'
import { usePermission } from '../sign-in/session.tsx'
import { Picture } from './picture.tsx'
import { ReasonChips } from './reason-chips.tsx'
import { actionResult } from './subject.ts'
import styles from './subject-view.module.css'

/** A profile or a comment for moderators: its public content, its author, its flags and earlier decisions. */
export function SubjectView({ subject }: { subject: Subject }) {
  return (
    <>
      {subject.kind === 'profile' ? <ProfileContent subject={subject} /> : <CommentContent subject={subject} />}
      <ReasonChips subject={subject} />
      <Facts subject={subject} />
      <History subject={subject} />
    </>
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

function CommentContent({ subject }: { subject: CommentSubject }) {
  const { text, ...others } = subject.content
  return (
    <div className={styles.commentContent}>
      <blockquote>{text}</blockquote>
      <Details value={others} />
    </div>
  )
}

function Facts({ subject }: { subject: Subject }) {
  const { kind, flags, flaggedAt, flagsEver, author, weight } = subject
  const may = usePermission()
  return (
    <dl className="facts">
      <div>
        <dt>Open flags</dt>
        <dd>
          {flags}
          {flaggedAt && (
            <span className="quiet">
              {' '}
              since <DateTime at={flaggedAt} />
            </span>
          )}
        </dd>
      </div>
      {flags > 0 && (
        <div>
          <dt>Weight of flags</dt>
          <dd>{weight}</dd>
        </div>
      )}
      {flagsEver !== undefined && (
        <div>
          <dt>Total flags</dt>
          <dd>{flagsEver}</dd>
        </div>
      )}
      <div>
        <dt>{kind === 'profile' ? 'Profile' : 'Author’s profile'}</dt>
        <dd>
          <a href={linkTo('profiles', author.profileId)}>{author.profileId}</a>
          {may('readRecord') && (
            <>
              {', '}
              <a href={recordLink(author.profileId)}>record</a>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Customer</dt>
        <dd>
          {may('getCustomer') ? (
            <a href={linkTo('customers', author.customerId)}>{author.customerId}</a>
          ) : (
            author.customerId
          )}
        </dd>
      </div>
    </dl>
  )
}

function History({ subject: { kind, decisions } }: { subject: Subject }) {
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
              {decision.statement && <StatementLine decision={decision} />}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** What the author was told. */
export function StatementLine({ decision: { clause, ground, statement } }: { decision: Decision }) {
  return (
    <p className={history.note}>
      To the author ({clause}, {ground}): {statement}
    </p>
  )
}
