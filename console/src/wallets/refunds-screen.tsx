import { linkTo } from '../../../web/route.ts'
import { usePagedList } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { MoneyTray, useMoneyActions } from '../parts/money-actions.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { RefundTable } from './refund-table.tsx'
import { type Inbox, InboxTabs } from './waits-for.tsx'

const INBOXES = [
  {
    show: 'me',
    title: 'For you',
    empty: 'No refund waits for you.',
    query: { state: 'REQUESTED', waitsFor: 'me' },
  },
  {
    show: 'another',
    title: 'For another person',
    empty: 'No refund waits for another person.',
    query: { state: 'REQUESTED', waitsFor: 'another person' },
  },
  { show: 'review', title: 'Without a result', empty: 'No refund needs manual review.', query: { state: 'REVIEW' } },
  { show: 'all', title: 'All', empty: 'No refunds.', query: {} },
] as const satisfies readonly Inbox[]

const refundsLink = ({ show }: Inbox) => linkTo('refunds') + (show === 'me' ? '' : `?show=${show}`)

export function RefundsScreen({ query }: { query: URLSearchParams }) {
  const actions = useMoneyActions()
  const shown = INBOXES.find(({ show }) => show === query.get('show')) ?? INBOXES[0]
  const list = usePagedList('listRefunds', { query: shown.query })
  const pages = usePages(list)
  const { items, loading, refusal } = list
  return (
    <>
      <ScreenHeader title="Refunds">
        <button type="button" onClick={list.reload} aria-disabled={loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        A large refund, or one of a deposit of which a withdrawal has returned money, is approved by another person than
        the one who requested it.
      </p>
      <InboxTabs label="Which refunds" inboxes={INBOXES} shown={shown} linkOf={refundsLink} />
      <MoneyTray actions={actions} />
      {pages.shown.length > 0 && (
        <RefundTable items={pages.shown} actions={actions} onChanged={list.reload} withCustomer />
      )}
      {items.length === 0 && !loading && !refusal && <p className="empty">{shown.empty}</p>}
      <Pager pages={pages} />
    </>
  )
}
