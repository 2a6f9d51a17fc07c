// The statement of a customer's account, newest line first: its last lines on the tab of money, all of it on a tab of its own.

import { lineText } from '../../../web/words/ledger.ts'
import type { AnswerOf } from '../api/operations.ts'
import { usePagedList, useResource } from '../api/resource.ts'
import { ActionButton } from '../parts/action.tsx'
import { DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { dayText } from '../parts/dates.ts'
import { amountText } from '../parts/numbers.ts'
import { Pager, usePages } from '../parts/pager.tsx'
import { PeriodForm } from '../parts/period-form.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { useSession } from '../sign-in/session.tsx'
import { type CustomerProps, customerLink } from './props.ts'

type Line = AnswerOf<'readCustomerStatement'>['items'][number]

const LATEST = 10

export function LatestLines({ id }: { id: string }) {
  const statement = useResource('readCustomerStatement', { id, query: { order: 'newest', limit: LATEST } })
  return (
    <section className="panel" aria-labelledby="statement">
      <h2 id="statement">Statement</h2>
      <ResourceView resource={statement}>
        {({ items }) =>
          items.length === 0 ? <p className="quiet">No lines in the last three months.</p> : <Lines items={items} />
        }
      </ResourceView>
      <p>
        <a href={customerLink(id, { tab: 'statement' })}>Whole statement</a>
      </p>
    </section>
  )
}

/** Covers the days in the address; without them, three months. */
export function CustomerStatement({ customer: { id }, query }: CustomerProps) {
  const { api } = useSession()
  const days = { from: query.get('from') ?? '', to: query.get('to') ?? '' }
  const sums = useResource('readCustomerStatement', { id, query: { ...days, limit: 1 } })
  const list = usePagedList('readCustomerStatement', { id, query: { ...days, order: 'newest' } })
  const pages = usePages(list)
  const download = async () =>
    saveAsFile(`statement-${id}.csv`, await api('exportCustomerStatement', { id, query: days }))
  return (
    <section className="panel" aria-labelledby="statement">
      <h2 id="statement">Statement</h2>
      <ResourceView resource={sums}>
        {({ from, to, currency, opening, closing, netDeposits }) => (
          <>
            <PeriodForm
              key={`${from} ${to}`}
              from={from}
              to={to}
              linkOf={(chosen) => customerLink(id, { tab: 'statement', ...chosen })}
            />
            <p>
              {dayText(from)} to {dayText(to)}: opening balance {amountText(opening)} {currency}, closing balance{' '}
              <strong>
                {amountText(closing)} {currency}
              </strong>
              . Net deposits since the account was opened: {amountText(netDeposits)} {currency}.
            </p>
          </>
        )}
      </ResourceView>
      {pages.shown.length > 0 && <Lines items={pages.shown} />}
      {list.items.length === 0 && !list.loading && !list.refusal && <p className="quiet">No lines in these days.</p>}
      <Pager pages={pages} />
      <ActionButton action={download}>Download statement (CSV)</ActionButton>
    </section>
  )
}

function Lines({ items }: { items: readonly Line[] }) {
  return (
    <DataTable
      label="Statement"
      columns={['Time', 'What', 'Debit', 'Credit', 'Balance', 'Reference']}
      rows={items.map((line) => ({
        key: line.line,
        cells: [
          <DateTime key="time" at={line.at} />,
          line.about === '' ? lineText(line.type) : `${lineText(line.type)} · ${line.about}`,
          amountText(line.debit),
          amountText(line.credit),
          amountText(line.balance),
          <code key="reference">{line.reference || line.paymentId}</code>,
        ],
      }))}
    />
  )
}
