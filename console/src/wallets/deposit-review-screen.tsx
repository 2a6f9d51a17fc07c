import { useEffect, useRef, useState } from 'react'
import type { ReviewedDeposit } from '../../../src/operator/api-types.ts'
import { scrollContainer, useHistoryState } from '../../../web/history-state.ts'
import { linkTo, openRoute } from '../../../web/route.ts'
import { useCounts } from '../api/live.tsx'
import { type PagedList, usePagedList, useResource } from '../api/resource.ts'
import { Age } from '../parts/age.tsx'
import { DateTime, Progress, ScreenHeader } from '../parts/basics.tsx'
import { Id } from '../parts/id.tsx'
import { isPending, type MoneyActions, MoneyTray, useMoneyActions } from '../parts/money-actions.tsx'
import { NamedLink, NameOf } from '../parts/names.tsx'
import { NewItems } from '../parts/new-items.tsx'
import { Problem } from '../parts/problem.tsx'
import { useReadAhead } from '../parts/read-ahead.ts'
import { ResourceView } from '../parts/resource-view.tsx'
import review from '../parts/review.module.css'
import { useKeys } from '../parts/shortcuts.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { Viewers } from '../parts/viewers.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { CardName } from './card-name.tsx'
import { DepositTrail } from './deposit-trail.tsx'
import { Fact } from './fact.tsx'
import { GatewayComparison } from './gateway-comparison.tsx'
import { ResolutionForm } from './resolution-form.tsx'
import { NoDecision, ProposalLine, WaitsForBadge } from './waits-for.tsx'
import { WhyFacts } from './why.tsx'

export function DepositReviewScreen() {
  const inbox = usePagedList('readDepositReview', { query: { limit: 25 } })
  const { items, loading, refusal } = inbox
  const newest = useCounts()?.deposits.newest
  return (
    <>
      <ScreenHeader title="Deposit review">
        <NewItems
          newest={newest}
          shown={items.map(({ reviewSince }) => reviewSince)}
          loading={loading}
          onLoad={inbox.reload}
        />
        <button type="button" onClick={inbox.reload} aria-disabled={loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">Deposits that need manual review, the one that waits longest first.</p>
      {refusal && <Problem refusal={refusal} onRetry={inbox.reload} />}
      {items.length === 0 && loading && <Progress />}
      {items.length === 0 && !loading && !refusal && (
        <p className="empty">
          <strong>The inbox is empty.</strong> No deposit needs manual review.
        </p>
      )}
      {items.length > 0 && <Inbox inbox={inbox} />}
    </>
  )
}

/** What this page has resolved stays in the list until it is loaded again, so that nothing moves under the pointer. */
type Outcomes = ReadonlyMap<string, string>

function Inbox({ inbox }: { inbox: PagedList<ReviewedDeposit> }) {
  const { items, waiting } = inbox
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const { index, item, select, card } = useSelection(items)
  const firstChoice = useRef<HTMLInputElement>(null)
  const actions = useMoneyActions()

  useReadAhead(inbox, index)

  useKeys({
    next: () => select(items[index + 1]),
    previous: () => select(items[index - 1]),
    decide: () => firstChoice.current?.focus(),
    open: () => openRoute('deposits', item.paymentId),
  })

  /** The next one that is open, or an earlier one that was skipped. */
  function openNext(): void {
    const isOpen = (one: ReviewedDeposit) =>
      one !== item && !outcomes.has(one.paymentId) && !isPending(actions, one.paymentId)
    select(items.slice(index + 1).find(isOpen) ?? items.find(isOpen))
  }

  return (
    <div className={`${review.review} ${review.withoutContext}`}>
      <InboxList {...{ items, outcomes, actions }} selected={item} onSelect={select} />
      <article ref={card} tabIndex={-1} aria-labelledby="deposit-name" className="card">
        <header>
          <h2 id="deposit-name">
            {item.amount} {item.currency}
          </h2>
          <Stepper index={index} items={items} waiting={waiting} select={select} />
        </header>
        <MoneyTray actions={actions} />
        <Viewers item={{ kind: 'deposit', id: item.paymentId }} />
        <Facts deposit={item} />
        {item.why !== null && <WhyFacts why={item.why} />}
        <Case
          key={item.paymentId}
          deposit={item}
          outcome={outcomes.get(item.paymentId)}
          actions={actions}
          onConfirmed={openNext}
          onResolved={(outcome) => setOutcomes((before) => new Map(before).set(item.paymentId, outcome))}
          firstChoice={firstChoice}
        />
      </article>
    </div>
  )
}

/** The selected deposit. The focus follows, so that a screen reader reads it. */
function useSelection(items: ReviewedDeposit[]) {
  const [place, setPlace] = useHistoryState('selected', { id: items[0]?.paymentId, index: 0 })
  const card = useRef<HTMLElement>(null)
  const found = items.findIndex(({ paymentId }) => paymentId === place.id)
  // The selected deposit may have left the inbox; the next one then has its index.
  const index = found >= 0 ? found : Math.min(place.index, items.length - 1)
  const item = items[index] as ReviewedDeposit

  function select(next: ReviewedDeposit | undefined): void {
    if (next === undefined) return
    setPlace({ id: next.paymentId, index: items.indexOf(next) })
    card.current?.focus({ preventScroll: true })
  }

  const shown = useRef(item.paymentId)
  useEffect(() => {
    if (shown.current === item.paymentId) return
    shown.current = item.paymentId
    // The next one is shown from its top: the form of the one before was at its end.
    if (scrollContainer().id === 'main') card.current?.scrollIntoView({ block: 'start' })
    else scrollContainer().scrollTo(0, 0)
  }, [item.paymentId])

  return { index, item, select, card }
}

type InboxListProps = {
  items: ReviewedDeposit[]
  selected: ReviewedDeposit
  outcomes: Outcomes
  actions: MoneyActions
  onSelect: (deposit: ReviewedDeposit) => void
}

function InboxList({ items, selected, outcomes, actions, onSelect }: InboxListProps) {
  return (
    <ol className={review.queueList} aria-label="In the inbox">
      {items.map((one) => {
        const outcome = outcomes.get(one.paymentId)
        return (
          <li key={one.paymentId} className={outcome === undefined ? undefined : review.decided}>
            <button
              type="button"
              className={review.row}
              aria-current={one === selected ? 'true' : undefined}
              onClick={() => onSelect(one)}
            >
              <span className={review.subjectName} data-name>
                {one.amount} {one.currency}, <NameOf kind="customer" id={one.customerId} />
              </span>
              <span className="quiet">
                {outcome ?? (isPending(actions, one.paymentId) ? 'sends in a moment' : <Waiting deposit={one} />)}
              </span>
              {outcome === undefined && one.proposal !== null && (
                <span>
                  <WaitsForBadge waitsFor={one.waitsFor} />
                </span>
              )}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

function Waiting({ deposit: { why, reviewSince } }: { deposit: ReviewedDeposit }) {
  return (
    <>
      {why?.title}, for <Age since={reviewSince} />
    </>
  )
}

function Facts({ deposit }: { deposit: ReviewedDeposit }) {
  return (
    <dl className="facts">
      <Fact name="Why">{deposit.why?.title}</Fact>
      <Fact name="In review for">
        <Age since={deposit.reviewSince} />
      </Fact>
      <Fact name="Customer">
        <NamedLink kind="customer" id={deposit.customerId} isLabelled />
      </Fact>
      <Fact name="Card">
        <CardName card={deposit} />
      </Fact>
      <Fact name="Deposited">
        <DateTime at={deposit.createdAt} />
      </Fact>
      <Fact name="Payment">
        <a href={linkTo('deposits', deposit.paymentId)}>Deposit</a> <Id value={deposit.paymentId} />
      </Fact>
    </dl>
  )
}

type CaseProps = {
  deposit: ReviewedDeposit
  outcome: string | undefined
  actions: MoneyActions
  onConfirmed: () => void
  onResolved: (outcome: string) => void
  firstChoice: React.RefObject<HTMLInputElement | null>
}

/** What is known of the deposit, and its decision. */
function Case({ deposit, outcome, ...form }: CaseProps) {
  const { paymentId } = deposit
  const may = usePermission()
  const resource = useResource('getDeposit', { paymentId })
  const canResolve = may('resolveDeposit')
  const { proposal } = resource.answer ?? deposit
  return (
    <>
      {may('readGatewayView') && <GatewayComparison paymentId={paymentId} version={outcome ?? ''} asksAtOnce />}
      {outcome !== undefined && (
        <p className={review.decisionState}>
          <strong>Resolved: {outcome}.</strong>
        </p>
      )}
      <ProposalLine proposal={proposal} />
      {outcome === undefined && canResolve && <ResolutionForm deposit={deposit} proposal={proposal} {...form} />}
      {!canResolve && <NoDecision />}
      <ResourceView resource={resource}>{({ events }) => <DepositTrail events={events} />}</ResourceView>
    </>
  )
}
