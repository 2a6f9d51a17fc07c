import { useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import type { AnswerOf } from '../api/operations.ts'
import { useResource } from '../api/resource.ts'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { SelectField } from '../parts/fields.tsx'
import { NamedLink } from '../parts/names.tsx'
import { ResourceView } from '../parts/resource-view.tsx'

type Dispute = AnswerOf<'listDisputes'>['items'][number]

const SHOWN = [
  { value: 'due', label: 'waiting for evidence, the nearest deadline first' },
  { value: 'all', label: 'all, newest first' },
]

const LOOKS = {
  TOLD: 'wait',
  CHARGED_BACK: 'warn',
  REVERSED: 'good',
  CHARGED_BACK_AGAIN: 'warn',
  LOST: 'bad',
  WON: 'good',
} as const

export function DisputesScreen() {
  const [shown, setShown] = useState('due')
  return (
    <>
      <ScreenHeader title="Disputes" />
      <p className="lead">
        What the banks of cards say about payments. Evidence is given in the gateway’s back office, before the deadline.
      </p>
      <SelectField label="Show disputes" value={shown} onChange={setShown} options={SHOWN} />
      <DisputeList key={shown} query={shown === 'due' ? { due: 'yes', limit: 100 } : { limit: 100 }} />
    </>
  )
}

function DisputeList({ query }: { query: { due?: 'yes'; limit: number } }) {
  const disputes = useResource('listDisputes', { query })
  return (
    <ResourceView resource={disputes}>
      {({ items }) =>
        items.length === 0 ? <p className="quiet">No disputes.</p> : <DisputeTable items={items} withCustomer />
      }
    </ResourceView>
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
