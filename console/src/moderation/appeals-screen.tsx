// The appeals of the review queue, oldest first.

import { useState } from 'react'
import type { Appeal } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { useCounts } from '../api/live.tsx'
import { usePagedList } from '../api/resource.ts'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import history from '../parts/history.module.css'
import { NamedLink } from '../parts/names.tsx'
import { NewItems } from '../parts/new-items.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import review from '../parts/review.module.css'
import { useKeys } from '../parts/shortcuts.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { Viewers } from '../parts/viewers.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { AppealForm } from './appeal-form.tsx'
import styles from './appeals-screen.module.css'
import { useClauseTitle } from './clause-title.ts'
import { QueueTabs, QueueToolbar } from './queue-tabs.tsx'
import { actionResult, nameOf, titleOf } from './subject.ts'
import { StatementLine, SubjectContent, SubjectFacts, SubjectSurroundings } from './subject-view.tsx'

export function AppealsScreen({ from }: { from: string }) {
  const listed = usePagedList('readModerationQueue', { query: { kind: 'appeal', from } })
  const { items, loading, refusal } = listed
  const queue = { ...listed, items: items.filter((one) => one.kind === 'appeal') }
  const pages = usePages(queue)
  const [decided, setDecided] = useState<ReadonlyMap<string, Appeal>>(new Map())
  const newest = useCounts()?.appeals.newest
  return (
    <>
      <ScreenHeader title="Review queue">
        <NewItems
          newest={newest}
          shown={queue.items.map(({ madeAt }) => madeAt)}
          loading={loading}
          onLoad={queue.reload}
        />
        <button type="button" onClick={queue.reload} aria-disabled={loading}>
          Refresh
        </button>
      </ScreenHeader>
      <QueueToolbar>
        <QueueTabs kind="appeal" />
      </QueueToolbar>
      {items.length === 0 && !loading && !refusal && (
        <div className="empty">
          <p>
            <strong>No open appeals{from !== '' && ' since that day'}.</strong> Authors and reporters can appeal
            decisions for 183 days.
          </p>
        </div>
      )}
      {pages.shown.length > 0 && (
        <>
          <p className={`hint ${review.queueOrder}`}>Oldest first. A different moderator decides.</p>
          <Appeals
            key={pages.start}
            items={pages.shown}
            start={pages.start}
            waiting={queue.waiting}
            decided={decided}
            onDecided={(answer) => setDecided((before) => new Map(before).set(answer.id, answer))}
          />
        </>
      )}
      <Pager
        pages={pages}
        day={from}
        onDate={(day) => (location.hash = `${linkTo('queue')}?kind=appeal${day === '' ? '' : `&from=${day}`}`)}
      />
    </>
  )
}

type AppealsProps = {
  items: readonly Appeal[]
  /** How many are on the pages before. */
  start: number
  waiting: number
  decided: ReadonlyMap<string, Appeal>
  onDecided: (appeal: Appeal) => void
}

/** Decided appeals stay in the list until it is loaded again, so that nothing moves under the pointer. */
function Appeals({ items, start, waiting, decided, onDecided }: AppealsProps) {
  const [selected, setSelected] = useState(0)
  const index = Math.min(selected, items.length - 1)
  const item = items[index] as Appeal
  const appeal = decided.get(item.id) ?? item
  const select = (next: number) => setSelected(Math.max(0, Math.min(next, items.length - 1)))
  useKeys({ next: () => select(index + 1), previous: () => select(index - 1) })
  return (
    <div className={`${review.review} ${review.withoutContext}`}>
      <AppealList items={items} decided={decided} index={index} onSelect={select} />
      <article className="card" aria-labelledby="appeal-title">
        <header>
          <h2 id="appeal-title">Appeal of the {appeal.party}</h2>
          <Stepper
            index={index}
            items={items}
            start={start}
            waiting={waiting}
            select={(next) => next !== undefined && select(items.indexOf(next))}
          />
        </header>
        <Viewers item={{ kind: appeal.subject.kind, id: appeal.subject.id }} />
        <AppealView appeal={appeal} />
        <AppealForm key={appeal.id} appeal={appeal} onDecided={onDecided} />
      </article>
    </div>
  )
}

type AppealListProps = {
  items: readonly Appeal[]
  decided: ReadonlyMap<string, Appeal>
  index: number
  onSelect: (place: number) => void
}

function AppealList({ items, decided, index, onSelect }: AppealListProps) {
  return (
    <ol className={review.queueList} aria-label="In the queue">
      {items.map((one, place) => {
        const state = (decided.get(one.id) ?? one).state
        return (
          <li key={one.id} className={state === 'open' ? undefined : review.decided}>
            <button
              type="button"
              className={review.row}
              aria-current={place === index ? 'true' : undefined}
              onClick={() => onSelect(place)}
            >
              <span className={review.subjectName} data-name>
                {nameOf(one.subject)}
              </span>
              <span className="quiet">
                {one.party}, {state === 'open' ? <DateTime at={one.madeAt} /> : state}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

function AppealView({ appeal }: { appeal: Appeal }) {
  const { decision, subject, text } = appeal
  const clauseTitle = useClauseTitle()
  return (
    <>
      <blockquote>{text}</blockquote>
      <AppealFacts appeal={appeal} />
      <section className={history.history}>
        <h3>The decision</h3>
        <p>
          <strong>{actionResult(subject.kind, decision.action)}</strong> by {decision.actor},{' '}
          <DateTime at={decision.at} />
        </p>
        {decision.note && <p className={history.note}>{decision.note}</p>}
        {decision.statement && <StatementLine decision={decision} clauseTitle={clauseTitle} />}
      </section>
      <section className={styles.appealedSubject} aria-labelledby="appealed-subject">
        <h3 id="appealed-subject">
          Now: <a href={linkTo(`${subject.kind}s`, subject.id)}>{titleOf(subject)}</a>
        </h3>
        <SubjectContent subject={subject} />
        <SubjectFacts subject={subject} />
        <SubjectSurroundings subject={subject} context={undefined} />
      </section>
    </>
  )
}

function AppealFacts({ appeal: { by, madeAt, former, state, decidedBy } }: { appeal: Appeal }) {
  const may = usePermission()
  return (
    <dl className="facts">
      <div>
        <dt>Made</dt>
        <dd>
          <DateTime at={madeAt} />
        </dd>
      </div>
      <div>
        <dt>By</dt>
        <dd>
          <NamedLink kind="profile" id={by.profileId} />
          {may('getCustomer') && (
            <>
              {', customer '}
              <NamedLink kind="customer" id={by.customerId} isLabelled />
            </>
          )}
        </dd>
      </div>
      {state !== 'open' && (
        <div>
          <dt>State</dt>
          <dd>
            <Badge look={state === 'overturned' ? 'warn' : 'good'}>{state}</Badge> by {decidedBy}
          </dd>
        </div>
      )}
      {former !== null && (
        <div>
          <dt>Before the decision</dt>
          <dd>{former}</dd>
        </div>
      )}
    </dl>
  )
}
