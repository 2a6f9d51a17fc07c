import type { RecordCharts } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { Badge, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useTitle } from '../parts/names.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { ProfitBar, scaleOf, YieldBar, yieldScale } from './figure-bars.tsx'
import { RecordFigures } from './figures.tsx'
import { RecordFilterForm } from './filter-form.tsx'
import { bandLabel, boardLink, filtersOf, type RecordFilters, rankRule, recordLink } from './filters.ts'
import { ProfitCurve } from './profit-curve.tsx'
import { Recount } from './recount.tsx'
import { type Figures, hasManyWithdrawn } from './texts.ts'
import styles from './tipster-screen.module.css'

/** The record of a profile: its figures, how the profit grew, and its parts by sport and by price. */
export function TipsterScreen({ id, query }: { id: string; query: URLSearchParams }) {
  const may = usePermission()
  const filters = filtersOf(query, '0')
  const resource = useResource('readRecord', { id, query: filters })
  return (
    <>
      <ScreenHeader title={`Record of ${useTitle('profile', id)}`} id={id} />
      {/* Not at the right end of the header, where the name, which comes later, would move them. */}
      <p className="links">
        {may('readRecordRanking') && <a href={boardLink(filters)}>All tipsters</a>}
        {may('getModeratedProfile') && <a href={linkTo('profiles', id)}>Profile</a>}
      </p>
      <RecordFilterForm filters={filters} offersInPlay linkTo={(chosen) => recordLink(id, chosen)} />
      <ResourceView resource={resource}>
        {(answer) => (
          <>
            <Summary record={answer.record} filters={filters} />
            <Charts charts={answer} />
            {may('checkRecord') && <Recount profileId={id} />}
          </>
        )}
      </ResourceView>
    </>
  )
}

function Summary({ record, filters }: { record: RecordCharts['record']; filters: RecordFilters }) {
  const { numSettled, numOpen, isRanked } = record
  const whyNot = filters.inPlay === 'Y' ? 'Tips in play are not ranked.' : rankRule(filters.numDays)
  return (
    <section className="card" aria-label="Figures">
      {hasManyWithdrawn(record) && <WithdrawnWarning record={record} />}
      {numSettled === 0 ? (
        <p className="empty">No settled tips in this selection; {numOpen} open</p>
      ) : (
        <RecordFigures record={record} />
      )}
      {numSettled > 0 && (
        <p className="hint">
          <Badge look={isRanked ? 'good' : 'plain'}>{isRanked ? 'ranked' : 'not ranked'}</Badge> {!isRanked && whyNot}
        </p>
      )}
    </section>
  )
}

function WithdrawnWarning({ record: { numWithdrawn, numSettled } }: { record: Figures }) {
  return (
    <p className="warning">
      <strong>
        {numWithdrawn} of {numSettled} settled tips are withdrawn or removed.
      </strong>{' '}
      Customers no longer see them on the profile, where the record may look better than it is. They count here and in
      the ranking.
    </p>
  )
}

function Charts({ charts: { days, sports, bands } }: { charts: RecordCharts }) {
  if (days.length === 0) return null
  return (
    <>
      <ProfitCurve days={days} />
      <Parts
        title="By sport"
        column="Sport"
        parts={sports.map(({ sportId, name, figures }) => ({
          name: name || `Sport ${sportId}`,
          key: sportId,
          figures,
        }))}
      />
      <Parts
        title="By price"
        column="Decimal odds"
        parts={bands.map(({ band, figures }) => ({ name: bandLabel(band), key: band, figures }))}
      />
    </>
  )
}

type PartsProps = { title: string; column: string; parts: readonly { name: string; key: string; figures: Figures }[] }

function Parts({ title, column, parts }: PartsProps) {
  const id = `parts-${title.replaceAll(' ', '-').toLowerCase()}`
  const profits = scaleOf(parts.map(({ figures }) => Number(figures.profit)))
  const yields = yieldScale(parts.map(({ figures }) => figures))
  return (
    <section className={`card ${styles.recordParts}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
      </header>
      <DataTable
        label={title}
        columns={[column, 'Tips', 'Profit', 'Yield', 'Strike rate']}
        rows={parts.map(({ key, name, figures }) => ({
          key,
          cells: [
            name,
            String(figures.numSettled),
            <ProfitBar key="profit" profit={figures.profit} scale={profits} />,
            <YieldBar key="yield" record={figures} scale={yields} />,
            figures.strikeRate === undefined ? '' : `${figures.strikeRate}%`,
          ],
        }))}
      />
    </section>
  )
}
