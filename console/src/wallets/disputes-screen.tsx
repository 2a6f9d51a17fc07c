import { linkTo } from '../../../web/route.ts'
import { usePagedList, useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { DisputeTable } from './dispute-table.tsx'

const SHOWN = [
  { value: 'due', label: 'Waiting for evidence', address: '' },
  { value: 'all', label: 'All', address: '?show=all' },
]

/** The address says which are shown. */
export function DisputesScreen({ query }: { query: URLSearchParams }) {
  const shown = query.get('show') === 'all' ? 'all' : 'due'
  const list = usePagedList('listDisputes', { query: shown === 'due' ? { due: 'yes' } : {} })
  const pages = usePages(list)
  const isEmpty = list.items.length === 0 && !list.loading && !list.refusal
  return (
    <>
      <ScreenHeader title="Disputes" />
      <p className="lead">
        What the banks of cards say about payments. Evidence is given in the gateway’s back office, before the deadline;
        the nearest deadline is first. While a dispute is open, what is left of its deposit does not go back to the
        card.
      </p>
      <nav className="tabs" aria-label="Which disputes">
        {SHOWN.map(({ value, label, address }) => (
          <a key={value} href={linkTo('disputes') + address} aria-current={value === shown ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {pages.shown.length > 0 && <DisputeTable items={pages.shown} onChanged={list.reload} withCustomer />}
      {isEmpty && <p className="empty">{shown === 'due' ? 'No dispute waits for evidence.' : 'No disputes.'}</p>}
      <Pager pages={pages} />
    </>
  )
}

const LATEST = 20

/** Shows those of a deposit, or the newest of a customer; nothing where there are none. */
export function DisputesOf({ query }: { query: { paymentId: string } | { customerId: string } }) {
  const disputes = useResource('listDisputes', { query: { ...query, limit: LATEST } })
  return (
    <ResourceView resource={disputes}>
      {({ items }) =>
        items.length === 0 ? null : (
          <section className="panel" aria-labelledby="disputes">
            <h2 id="disputes">Disputes</h2>
            <DisputeTable items={items} onChanged={disputes.reload} />
          </section>
        )
      }
    </ResourceView>
  )
}
