import { linkTo } from '../../../web/route.ts'
import type { AnswerOf } from '../api/operations.ts'
import { usePagedList, useResource } from '../api/resource.ts'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { NamedLink } from '../parts/names.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { ResourceView } from '../parts/resource-view.tsx'

type Dispute = AnswerOf<'listDisputes'>['items'][number]

const SHOWN = [
  { value: 'due', label: 'Waiting for evidence', address: '' },
  { value: 'all', label: 'All', address: '?show=all' },
]

const LOOKS = {
  TOLD: 'wait',
  CHARGED_BACK: 'warn',
  REVERSED: 'good',
  CHARGED_BACK_AGAIN: 'warn',
  LOST: 'bad',
  WON: 'good',
} as const

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
        the nearest deadline is first.
      </p>
      <nav className="tabs" aria-label="Which disputes">
        {SHOWN.map(({ value, label, address }) => (
          <a key={value} href={linkTo('disputes') + address} aria-current={value === shown ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {pages.shown.length > 0 && <DisputeTable items={pages.shown} withCustomer />}
      {isEmpty && <p className="empty">{shown === 'due' ? 'No dispute waits for evidence.' : 'No disputes.'}</p>}
      <Pager pages={pages} />
    </>
  )
}

/** Of a deposit or of a customer; nothing where there are none. */
export function DisputesOf({ query }: { query: { paymentId: string } | { customerId: string } }) {
  const disputes = useResource('listDisputes', { query })
  return (
    <ResourceView resource={disputes}>
      {({ items }) =>
        items.length === 0 ? null : (
          <section className="panel" aria-labelledby="disputes">
            <h2 id="disputes">Disputes</h2>
            <DisputeTable items={items} />
          </section>
        )
      }
    </ResourceView>
  )
}

function DisputeTable({ items, withCustomer = false }: { items: readonly Dispute[]; withCustomer?: boolean }) {
  const columns = ['Payment', 'Amount', 'State', 'Debited', 'Evidence until', 'Last told']
  return (
    <DataTable
      label="Disputes"
      columns={withCustomer ? [...columns, 'Customer'] : columns}
      rows={items.map((dispute) => ({
        key: dispute.id,
        cells: [
          <a key="payment" href={linkTo('deposits', dispute.paymentId)}>
            {dispute.paymentId.slice(0, 8)}
          </a>,
          `${dispute.amount} ${dispute.currency}`,
          <Badge key="state" look={LOOKS[dispute.state]}>
            {dispute.state}
          </Badge>,
          dispute.debited,
          <Deadline key="deadline" dispute={dispute} />,
          dispute.lastEvent,
          ...(withCustomer
            ? [
                <NamedLink key="customer" kind="customer" id={dispute.customerId}>
                  {dispute.customerId}
                </NamedLink>,
              ]
            : []),
        ],
      }))}
    />
  )
}

function Deadline({ dispute: { evidence, answerBy } }: { dispute: Dispute }) {
  if (evidence !== 'open') return <Badge look={evidence === 'supplied' ? 'good' : 'plain'}>{evidence}</Badge>
  if (answerBy === null) return 'not told'
  return <DateTime at={answerBy} />
}
