import type { TimelineItem } from '../../../src/operator/api-types.ts'
import { timelineText } from '../../../web/words/sentences.ts'
import { usePagedList } from '../api/resource.ts'
import { DateTime } from '../parts/basics.tsx'
import { withDates } from '../parts/dates.ts'
import { Pager, usePages } from '../parts/pager.tsx'
import { SubjectLink } from '../parts/subject-link.tsx'
import { WhyLine } from '../wallets/why.tsx'
import { type CustomerProps, customerLink } from './props.ts'
import styles from './timeline.module.css'

const LABELS: Record<TimelineItem['kind'], string> = {
  registration: 'Account',
  session: 'Session',
  deposit: 'Money',
  refund: 'Money',
  dispute: 'Money',
  withdrawal: 'Money',
  limit: 'Limit',
  exclusion: 'Exclusion',
  tip: 'Tip',
  decision: 'Decision',
  change: 'Operator',
}

export function CustomerTimeline({ customer: { id }, query }: CustomerProps) {
  const to = query.get('to') ?? ''
  const list = usePagedList('readCustomerTimeline', { id, query: { to } })
  const pages = usePages(list)
  // Items have no id, and the list only grows at its end.
  const items = pages.shown.map((item, index) => ({ ...item, key: `${pages.start + index} ${item.at}` }))
  return (
    <section className="panel" aria-label="Timeline">
      <header className={styles.panelHead}>
        <h2>Timeline</h2>
        <button type="button" onClick={list.reload} aria-disabled={list.loading}>
          Refresh
        </button>
      </header>
      <ol className={styles.timeline}>
        {items.map(({ key, ...item }) => (
          <li key={key} data-kind={item.kind}>
            <span className={styles.time}>
              <DateTime at={item.at} />
            </span>
            <span className={styles.kind}>{LABELS[item.kind] ?? item.kind}</span>
            <span className={styles.text}>
              {item.subject === null ? (
                withDates(timelineText(item))
              ) : (
                <SubjectLink kind={item.subject.kind} id={item.subject.id}>
                  {withDates(timelineText(item))}
                </SubjectLink>
              )}
              {item.why !== undefined && (
                <>
                  {' '}
                  <WhyLine why={item.why} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      <Pager
        pages={pages}
        day={to}
        onDate={(day) => (location.hash = customerLink(id, { tab: 'timeline', to: day }))}
      />
    </section>
  )
}
