import type { ModeratorStatistics } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { PeriodForm } from '../parts/period-form.tsx'
import { ResourceView } from '../parts/resource-view.tsx'

/** What each moderator decided in a period, which is part of the address. */
export function ModeratorsScreen({ query }: { query: URLSearchParams }) {
  const period = { from: query.get('from') ?? '', to: query.get('to') ?? '' }
  const report = useResource('readModeratorStatistics', { query: period })
  const from = period.from || report.answer?.from
  const to = period.to || report.answer?.to
  return (
    <>
      <ScreenHeader title="Moderators" />
      <p className="lead">
        How many decisions each person made in a period, how long what was flagged waited for them, and how many did not
        hold.
      </p>
      {/* Also beside a refused period, to correct it. */}
      {from && to && (
        <PeriodForm
          key={`${from} ${to}`}
          linkOf={(days) => `${linkTo('moderators')}?${new URLSearchParams(days)}`}
          from={from}
          to={to}
        />
      )}
      <ResourceView resource={report}>{({ moderators }) => <Moderators moderators={moderators} />}</ResourceView>
    </>
  )
}

function Moderators({ moderators }: Pick<ModeratorStatistics, 'moderators'>) {
  if (moderators.length === 0) return <p className="empty">Nobody decided anything in this period.</p>
  return (
    <DataTable
      label="Moderators"
      columns={['Name', 'Decisions', 'Restricting', 'Median time', 'Overturned']}
      rows={moderators.map(({ name, decisions, restricting, medianMinutes, overturned }) => ({
        key: name,
        cells: [
          name,
          String(decisions),
          String(restricting),
          timeText(medianMinutes),
          shareText(overturned, restricting),
        ],
      }))}
    />
  )
}

const HOUR = 60

/** "42.5 min", "3.2 h". */
function timeText(minutes: number | null): string {
  if (minutes === null) return '–'
  return minutes < HOUR ? `${minutes} min` : `${Math.round((minutes / HOUR) * 10) / 10} h`
}

/** "1 (3%)": of those that an appeal could overturn. */
function shareText(overturned: number, restricting: number): string {
  return restricting === 0 ? String(overturned) : `${overturned} (${Math.round((overturned / restricting) * 100)}%)`
}
