import { usePagedList } from '../api/resource.ts'
import { customerLink } from '../customers/props.ts'
import { DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { NamedLink, NameOf } from '../parts/names.tsx'
import { Pager, usePages } from '../parts/pager.tsx'

/** Money of excluded customers. */
export function BalancesScreen() {
  const list = usePagedList('listBalancesToPay', { query: {} })
  const pages = usePages(list)
  const { items, loading, refusal } = list
  return (
    <>
      <ScreenHeader title="Balances to pay">
        <button type="button" onClick={list.reload} aria-disabled={loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        Excluded customers with a balance. They cannot play with it, and have no session to withdraw it: ask them, then
        request a withdrawal for them on their page, which another person approves.
      </p>
      {pages.shown.length > 0 && (
        <DataTable
          label="Balances to pay"
          columns={['Customer', 'Balance', 'Excluded until', 'Pay it out']}
          rows={pages.shown.map(({ customerId, balance, currency, excludedUntil }) => ({
            key: customerId,
            cells: [
              <NamedLink key="customer" kind="customer" id={customerId} />,
              `${balance} ${currency}`,
              excludedUntil === null ? 'they return or are reinstated' : <DateTime key="until" at={excludedUntil} />,
              <a key="pay" href={customerLink(customerId, { tab: 'money' })}>
                Money of <NameOf kind="customer" id={customerId} />
              </a>,
            ],
          }))}
        />
      )}
      {items.length === 0 && !loading && !refusal && <p className="empty">No excluded customer has a balance.</p>}
      <Pager pages={pages} />
    </>
  )
}
