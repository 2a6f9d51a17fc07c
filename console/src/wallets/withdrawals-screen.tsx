import { linkTo } from '../../../web/route.ts'
import { useCounts } from '../api/live.tsx'
import { usePagedList, useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { MoneyTray, useMoneyActions } from '../parts/money-actions.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { DepositTrail } from './deposit-trail.tsx'
import { type Inbox, InboxTabs } from './waits-for.tsx'
import { WithdrawalCard } from './withdrawal-card.tsx'

/** In the inboxes the one that waits longest is first; in the list of all, the newest. */
const INBOXES = [
  { show: 'me', title: 'For you', empty: 'No withdrawal waits for you.', query: { waitsFor: 'me' } },
  {
    show: 'another',
    title: 'For another person',
    empty: 'No withdrawal waits for another person.',
    query: { waitsFor: 'another person' },
  },
  {
    show: 'requested',
    title: 'Not approved',
    empty: 'No withdrawal waits for approval.',
    query: { state: 'REQUESTED' },
  },
  {
    show: 'review',
    title: 'Without a result',
    empty: 'No withdrawal needs manual review.',
    query: { state: 'REVIEW' },
  },
  { show: 'all', title: 'All', empty: 'No withdrawals.', query: {} },
] as const satisfies readonly Inbox[]

function withdrawalsLink({ show }: Inbox, day = ''): string {
  return `${linkTo('withdrawals')}?${new URLSearchParams({ show, ...(day === '' ? {} : { day }) })}`
}

export function WithdrawalsScreen({ query }: { query: URLSearchParams }) {
  const actions = useMoneyActions()
  const counts = useCounts()
  // An auditor approves nothing, so that nothing waits for them.
  const first = usePermission()('approveWithdrawal') ? 'me' : 'requested'
  const shown = INBOXES.find(({ show }) => show === (query.get('show') ?? first)) ?? INBOXES[0]
  const day = query.get('day') ?? ''
  const dates = shown.show === 'all' ? { to: day } : { from: day }
  const list = usePagedList('listWithdrawals', { query: { ...shown.query, ...dates } })
  const pages = usePages(list)
  const { items, loading, refusal } = list
  return (
    <>
      <ScreenHeader title="Withdrawals">
        <button type="button" onClick={list.reload} aria-disabled={loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        Two persons approve what the rule does not; an operator who requests it for a customer is the first of them.
        What you do here is sent after 5 seconds.
        {counts !== undefined && ` ${counts.withdrawals.waiting} wait in all, for you or for another person.`}
      </p>
      <InboxTabs label="Which withdrawals" inboxes={INBOXES} shown={shown} linkOf={withdrawalsLink} />
      <MoneyTray actions={actions} />
      {items.length === 0 && !loading && !refusal && (
        <p className="empty">{day === '' ? shown.empty : 'None on that side of the day.'}</p>
      )}
      {pages.shown.map((one) => (
        <WithdrawalCard key={one.id} withdrawal={one} actions={actions} onDone={list.reload} />
      ))}
      <Pager pages={pages} day={day} onDate={(chosen) => (location.hash = withdrawalsLink(shown, chosen))} />
    </>
  )
}

/** With its parts and its whole history. */
export function WithdrawalScreen({ id }: { id: string }) {
  const actions = useMoneyActions()
  const resource = useResource('getWithdrawal', { id })
  return (
    <>
      <ScreenHeader title={`Withdrawal ${id}`} />
      <MoneyTray actions={actions} />
      <ResourceView resource={resource}>
        {({ events, ...withdrawal }) => (
          <>
            <WithdrawalCard withdrawal={withdrawal} actions={actions} onDone={resource.reload} isOwnPage />
            <DepositTrail events={events} />
          </>
        )}
      </ResourceView>
    </>
  )
}
