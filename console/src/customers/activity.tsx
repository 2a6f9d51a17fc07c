import type { ReactNode } from 'react'
import { resultText } from '../../../web/words/results.ts'
import { type PagedList, usePagedList } from '../api/resource.ts'
import { TipStateBadge } from '../moderation/tip-state.tsx'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { EventName } from '../parts/event-name.tsx'
import { Id } from '../parts/id.tsx'
import { LongText } from '../parts/long-text.tsx'
import { NamedLink } from '../parts/names.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { SubjectLink } from '../parts/subject-link.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { type CustomerProps, customerLink } from './props.ts'

/** One list at a time, since each has pages. */
const LISTS = [
  { name: 'bets', title: 'Bets', call: 'listCustomerBets', List: Bets },
  { name: 'tips', title: 'Tips', call: 'listCustomerComments', List: Tips },
  { name: 'received', title: 'Flags received', call: 'listCustomerFlags', List: FlagsReceived },
  { name: 'given', title: 'Flags given', call: 'listCustomerFlags', List: FlagsGiven },
] as const

export function CustomerActivity({ customer: { id }, query }: CustomerProps) {
  const may = usePermission()
  const lists = LISTS.filter(({ call }) => may(call))
  const shown = lists.find(({ name }) => name === query.get('list')) ?? lists[0]
  return (
    <>
      <nav className="tabs" aria-label="Lists of the customer">
        {lists.map(({ name, title }) => (
          <a
            key={name}
            href={customerLink(id, { tab: 'activity', list: name })}
            aria-current={name === shown?.name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {shown && <shown.List id={id} name={shown.name} title={shown.title} to={query.get('to') ?? ''} />}
    </>
  )
}

/** `to`: the day that the list begins with. */
type OneList = { id: string; name: string; title: string; to: string }

type ListProps<Item> = {
  of: OneList
  list: PagedList<Item>
  columns: readonly string[]
  toRow: (item: Item) => { key: string; cells: readonly ReactNode[] }
}

function ListPanel<Item>({ of: { id, name, title, to }, list, columns, toRow }: ListProps<Item>) {
  const pages = usePages(list)
  const isEmpty = list.items.length === 0 && !list.loading && !list.refusal
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      {pages.shown.length > 0 && <DataTable label={title} columns={columns} rows={pages.shown.map(toRow)} />}
      {isEmpty && <p className="quiet">{to === '' ? 'None.' : 'None until that day.'}</p>}
      <Pager
        pages={pages}
        day={to}
        onDate={(day) => (location.hash = customerLink(id, { tab: 'activity', list: name, to: day }))}
      />
    </section>
  )
}

function Bets(of: OneList) {
  return (
    <ListPanel
      of={of}
      list={usePagedList('listCustomerBets', { id: of.id, query: { to: of.to } })}
      columns={['Placed', 'Outcomes', 'Bet']}
      toRow={(bet) => ({
        key: bet.id,
        cells: [
          <DateTime key="placed" at={bet.placedAt} />,
          <ul key="outcomes" className="plain-list">
            {bet.legs.map((leg) => (
              <li key={leg.outcomeId}>
                {leg.outcome} {leg.price !== null && <>at {leg.price} </>}
                {leg.result !== null && (
                  <Badge look={leg.result === 'win' ? 'good' : 'plain'}>{resultText(leg.result)}</Badge>
                )}{' '}
                <span className="quiet">
                  {leg.market}, <EventName {...leg} />
                </span>
              </li>
            ))}
          </ul>,
          <span key="bet">
            <Id value={bet.id} /> {bet.cashedOut && <Badge>cashed out</Badge>}
          </span>,
        ],
      })}
    />
  )
}

function Tips(of: OneList) {
  return (
    <ListPanel
      of={of}
      list={usePagedList('listCustomerComments', { id: of.id, query: { to: of.to } })}
      columns={['Time', 'On', 'Text', 'State']}
      toRow={(tip) => ({
        key: tip.id,
        cells: [
          <DateTime key="time" at={tip.at} />,
          <span key="on">
            <SubjectLink kind="comment" id={tip.id}>
              {tip.outcome}
            </SubjectLink>{' '}
            <span className="quiet">
              {tip.market}, <EventName {...tip} />
            </span>
          </span>,
          <LongText key="text" text={tip.text} />,
          <span key="state">
            <TipStateBadge state={tip.state} /> {tip.featured && <Badge>featured</Badge>}{' '}
            <span className="quiet">{tip.status}</span>
          </span>,
        ],
      })}
    />
  )
}

function FlagsReceived(of: OneList) {
  return <Flags of={of} direction="received" />
}

function FlagsGiven(of: OneList) {
  return <Flags of={of} direction="given" />
}

function Flags({ of, direction }: { of: OneList; direction: 'received' | 'given' }) {
  return (
    <ListPanel
      of={of}
      list={usePagedList('listCustomerFlags', { id: of.id, query: { direction, to: of.to } })}
      columns={['Time', 'By', 'On', 'State']}
      toRow={(flag) => ({
        key: `${flag.kind} ${flag.id} ${flag.byProfileId}`,
        cells: [
          <DateTime key="time" at={flag.at} />,
          <NamedLink key="by" kind="profile" id={flag.byProfileId} />,
          flag.kind === 'profile' ? (
            <NamedLink key="on" kind="profile" id={flag.id} />
          ) : (
            <SubjectLink key="on" kind="comment" id={flag.id}>
              Tip {flag.id}
            </SubjectLink>
          ),
          <Badge key="state" look={flag.decided ? 'good' : 'wait'}>
            {flag.decided ? 'decided' : 'open'}
          </Badge>,
        ],
      })}
    />
  )
}
