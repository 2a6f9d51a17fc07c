import type { ReactNode } from 'react'
import type { CustomerTip } from '../../../src/operator/api-types.ts'
import { type PagedList, usePagedList } from '../api/resource.ts'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { EventName } from '../parts/event-name.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { LongText } from '../parts/long-text.tsx'
import { NamedLink } from '../parts/names.tsx'
import { SubjectLink } from '../parts/subject-link.tsx'
import { usePermission } from '../sign-in/session.tsx'
import type { CustomerProps } from './props.ts'

const PAGE = 10

export function CustomerActivity({ customer: { id } }: CustomerProps) {
  const may = usePermission()
  return (
    <>
      {may('listCustomerBets') && <Bets id={id} />}
      {may('listCustomerComments') && <Tips id={id} />}
      {may('listCustomerFlags') && (
        <>
          <Flags title="Flags received" id={id} direction="received" />
          <Flags title="Flags given" id={id} direction="given" />
        </>
      )}
    </>
  )
}

type ListProps<Item> = {
  title: string
  list: PagedList<Item>
  columns: readonly string[]
  toRow: (item: Item) => { key: string; cells: readonly ReactNode[] }
}

/** One list of the customer, loaded on its own. */
function ListPanel<Item>({ title, list, columns, toRow }: ListProps<Item>) {
  const isEmpty = list.items.length === 0 && !list.loading && !list.refusal
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      {list.items.length > 0 && <DataTable label={title} columns={columns} rows={list.items.map(toRow)} />}
      {isEmpty && <p className="quiet">None.</p>}
      <LoadMore list={list} />
    </section>
  )
}

function Bets({ id }: { id: string }) {
  return (
    <ListPanel
      title="Bets"
      list={usePagedList('listCustomerBets', { id, query: { limit: PAGE } })}
      columns={['Bet', 'Placed', 'Outcomes']}
      toRow={(bet) => ({
        key: bet.id,
        cells: [
          <span key="bet">
            {bet.id} {bet.cashedOut && <Badge>cashed out</Badge>}
          </span>,
          <DateTime key="placed" at={bet.placedAt} />,
          <ul key="outcomes" className="plain-list">
            {bet.legs.map((leg) => (
              <li key={leg.outcomeId}>
                {leg.outcome} {leg.price !== null && <>at {leg.price} </>}
                {leg.result !== null && <Badge look={leg.result === 'win' ? 'good' : 'plain'}>{leg.result}</Badge>}{' '}
                <span className="quiet">
                  {leg.market}, <EventName {...leg} />
                </span>
              </li>
            ))}
          </ul>,
        ],
      })}
    />
  )
}

const STATES: Record<CustomerTip['state'], ReactNode> = {
  live: <Badge look="good">live</Badge>,
  deactivated: <Badge>taken back</Badge>,
  removed: <Badge look="bad">removed</Badge>,
  held: <Badge look="warn">held</Badge>,
}

function Tips({ id }: { id: string }) {
  return (
    <ListPanel
      title="Tips"
      list={usePagedList('listCustomerComments', { id, query: { limit: PAGE } })}
      columns={['Tip', 'Time', 'State', 'Text', 'On']}
      toRow={(tip) => ({
        key: tip.id,
        cells: [
          <SubjectLink key="tip" kind="comment" id={tip.id}>
            Comment {tip.id}
          </SubjectLink>,
          <DateTime key="time" at={tip.at} />,
          <span key="state">
            {STATES[tip.state]} {tip.featured && <Badge>featured</Badge>} <span className="quiet">{tip.status}</span>
          </span>,
          <LongText key="text" text={tip.text} />,
          <span key="on">
            {tip.outcome}{' '}
            <span className="quiet">
              {tip.market}, <EventName {...tip} />
            </span>
          </span>,
        ],
      })}
    />
  )
}

function Flags({ title, id, direction }: { title: string; id: string; direction: 'received' | 'given' }) {
  return (
    <ListPanel
      title={title}
      list={usePagedList('listCustomerFlags', { id, query: { direction, limit: PAGE } })}
      columns={['On', 'By', 'Time', 'State']}
      toRow={(flag) => ({
        key: `${flag.kind} ${flag.id} ${flag.byProfileId}`,
        cells: [
          <SubjectLink key="on" kind={flag.kind} id={flag.id}>
            {flag.kind === 'comment' ? 'Comment' : 'Profile'} {flag.id}
          </SubjectLink>,
          <NamedLink key="by" kind="profile" id={flag.byProfileId}>
            Profile {flag.byProfileId}
          </NamedLink>,
          <DateTime key="time" at={flag.at} />,
          <Badge key="state" look={flag.decided ? 'good' : 'wait'}>
            {flag.decided ? 'decided' : 'open'}
          </Badge>,
        ],
      })}
    />
  )
}
