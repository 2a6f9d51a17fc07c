import type { ListedDeposit } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { DEPOSIT_STATES } from '../../../web/words/deposits.ts'
import { usePagedList } from '../api/resource.ts'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { Id } from '../parts/id.tsx'
import { NamedLink } from '../parts/names.tsx'
import { useNotice } from '../parts/notices.tsx'
import { amountText } from '../parts/numbers.ts'
import { Pager, usePages } from '../parts/pager.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { SavedViews } from '../parts/saved-views.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { CardName } from './card-name.tsx'
import { DEPOSIT_FILTERS, type DepositFilters, depositFiltersOf, depositsLink, totalsText } from './deposit-texts.ts'
import styles from './deposits-screen.module.css'
import { DEPOSIT_LOOKS } from './looks.ts'
import { WhyLine } from './why.tsx'

export function DepositsScreen({ query }: { query: URLSearchParams }) {
  const may = usePermission()
  const filters = depositFiltersOf(query)
  const list = usePagedList('listDeposits', { query: filters })
  const pages = usePages(list)
  const { shown } = pages
  const { items, loading, refusal, hasMore } = list
  return (
    <>
      <ScreenHeader title="Deposits">{may('exportDeposits') && <Download filters={filters} />}</ScreenHeader>
      <FilterBar fields={DEPOSIT_FILTERS} values={filters} linkOf={depositsLink}>
        <SavedViews page="deposits" />
      </FilterBar>
      {shown.length > 0 && <DepositTable items={shown} />}
      {items.length === 0 && !loading && !refusal && (
        <p className="empty">No matching deposits{hasMore ? ' so far' : ''}</p>
      )}
      {shown.length > 0 && (
        <p className="quiet">
          {shown.length} shown: {totalsText(shown)}
        </p>
      )}
      <Pager pages={pages} day={filters.to} onDate={(to) => (location.hash = depositsLink({ ...filters, to }))} />
    </>
  )
}

/** All that pass the filters, not only those shown. */
function Download({ filters }: { filters: DepositFilters }) {
  const { api } = useSession()
  const notify = useNotice()

  async function download(): Promise<void> {
    saveAsFile('deposits.csv', await api('exportDeposits', { query: filters }))
    notify('Downloaded.')
  }

  return <ActionButton action={download}>Download CSV</ActionButton>
}

function DepositTable({ items }: { items: readonly ListedDeposit[] }) {
  return (
    <DataTable
      label="Deposits"
      columns={['Time', 'Customer', 'Amount', 'Card', 'State', 'Payment']}
      rows={items.map((one) => ({
        key: one.paymentId,
        cells: [
          <DateTime key="time" at={one.createdAt} />,
          <NamedLink key="customer" kind="customer" id={one.customerId} />,
          <a key="amount" className={styles.amount} href={linkTo('deposits', one.paymentId)}>
            {amountText(one.amount)} {one.currency}
          </a>,
          <CardName key="card" card={one} />,
          <DepositState key="state" deposit={one} />,
          <Id key="payment" value={one.paymentId} />,
        ],
      }))}
    />
  )
}

type StatedDeposit = Pick<ListedDeposit, 'state' | 'fault' | 'why'>

/** With the reason, where it failed. `isBrief`: the page has the whole reason elsewhere. */
export function DepositState({ deposit, isBrief = false }: { deposit: StatedDeposit; isBrief?: boolean }) {
  const { state, fault, why } = deposit
  return (
    <span>
      <Badge look={DEPOSIT_LOOKS[state]}>{DEPOSIT_STATES[state]}</Badge>{' '}
      {state === 'CHALLENGE' && <span className="quiet">3-D Secure</span>}
      {why !== null && (isBrief ? <span className="quiet">{why.title}</span> : <WhyLine why={why} code={fault} />)}
    </span>
  )
}
