import { linkTo } from '../../../web/route.ts'
import { reporterHistory } from '../../../web/words/moderation.ts'
import { usePagedList } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { ReporterBadges, ReporterMarks } from './reporter-marks.tsx'

const LISTS = [
  { marked: 'all', label: 'All' },
  { marked: 'muted', label: 'Muted' },
  { marked: 'trusted', label: 'Trusted' },
] as const
export type Marked = (typeof LISTS)[number]['marked']

export function markedOf(text: string | null): Marked {
  return LISTS.find(({ marked }) => marked === text)?.marked ?? 'all'
}

export function ReportersScreen({ marked }: { marked: Marked }) {
  const list = usePagedList('listReporters', { query: { marked, limit: 50 } })
  const pages = usePages(list)
  return (
    <>
      <ScreenHeader title="Reporters">
        <nav className="tabs" aria-label="Which reporters">
          {LISTS.map((one) => (
            <a
              key={one.marked}
              href={`${linkTo('reporters')}?marked=${one.marked}`}
              aria-current={one.marked === marked ? 'page' : undefined}
            >
              {one.label}
            </a>
          ))}
        </nav>
      </ScreenHeader>
      <p className="lead">
        Customers who flag, most flags first. A flag weighs (upheld + 1) / (upheld + rejected + 2): one half at first,
        more for those who were right. Muted reporters weigh nothing.
      </p>
      {pages.shown.length > 0 && (
        <DataTable
          label="Reporters"
          columns={['Reporter', 'Flags', 'Upheld', 'Rejected', 'Weight', 'Marks']}
          rows={pages.shown.map((reporter) => ({
            key: reporter.profileId,
            cells: [
              <span key="name" className="chips">
                <a href={linkTo('profiles', reporter.profileId)}>{reporter.name}</a>
                <ReporterBadges reporter={reporter} />
              </span>,
              String(reporter.flags),
              String(reporter.upheld),
              String(reporter.rejected),
              <span key="weight" title={reporterHistory(reporter)}>
                {reporter.weight}
              </span>,
              <ReporterMarks key="marks" reporter={reporter} onMarked={list.reload} />,
            ],
          }))}
        />
      )}
      {list.items.length === 0 && !list.loading && !list.refusal && (
        <div className="empty">
          <p>
            <strong>{marked === 'all' ? 'Nobody has flagged anything.' : `No ${marked} reporters.`}</strong>
          </p>
        </div>
      )}
      <Pager pages={pages} />
    </>
  )
}
