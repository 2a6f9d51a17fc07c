import type { RecordBoard } from '../../../src/operator/api-types.ts'
import { usePagedList } from '../api/resource.ts'
import { Badge, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { YieldBar, yieldScale } from './figure-bars.tsx'
import { RecordFilterForm } from './filter-form.tsx'
import { boardLink, filtersOf, type RecordFilters, rankRule, recordLink } from './filters.ts'
import { daysText, type Figures, hasManyWithdrawn, signed, signedNumber } from './texts.ts'
import styles from './tipsters-screen.module.css'

type Entry = RecordBoard['items'][number]

export function TipstersScreen({ query }: { query: URLSearchParams }) {
  const filters = { ...filtersOf(query, '30'), inPlay: '' }
  const list = usePagedList('readRecordRanking', { query: filters })
  const pages = usePages(list)
  return (
    <>
      <ScreenHeader title="Tipsters" />
      <p className="lead">
        Ranked by what their tips would have won, with 1 point on each: by the lower end of the yield’s 90% interval, so
        that a few lucky tips do not lead. Tips made before the start of their event count; withdrawn and removed ones
        stay in.
      </p>
      <RecordFilterForm filters={filters} linkTo={boardLink} />
      {pages.shown.length > 0 && <Board items={pages.shown} filters={filters} />}
      {list.items.length === 0 && !list.loading && !list.refusal && <EmptyBoard filters={filters} />}
      <Pager pages={pages} />
    </>
  )
}

function EmptyBoard({ filters: { numDays, sportId, band } }: { filters: RecordFilters }) {
  const isPart = sportId !== '' || band !== ''
  return (
    <div className="empty">
      <p>
        <strong>No ranked tipsters{isPart ? ' in this selection' : ''}</strong>
      </p>
      <p>{rankRule(numDays)}</p>
      <p>Shorter records are on the pages of their profiles.</p>
    </div>
  )
}

function Board({ items, filters }: { items: readonly Entry[]; filters: RecordFilters }) {
  const scale = yieldScale(items.map(({ record }) => record))
  return (
    <>
      <p className="hint">
        Yield: a dot on its 90% interval, for all on one scale from {signedNumber(Math.ceil(scale.low))}% to{' '}
        {signedNumber(Math.floor(scale.high))}%. The line marks 0.
      </p>
      <DataTable
        label="Ranking of records"
        columns={['Rank, tipster', 'Yield', 'Strike rate', 'Profit', 'Tips', 'Settled', 'Withdrawn or removed']}
        rows={items.map(({ rank, profileId, name, isShown, record }) => ({
          key: profileId,
          cells: [
            <span key="name" className={styles.rankedName}>
              <span className={styles.rank}>{rank}</span>{' '}
              <a href={recordLink(profileId, filters)}>{name || `Profile ${profileId}`}</a>
              {!isShown && (
                <>
                  {' '}
                  <Badge>not public</Badge>
                </>
              )}
            </span>,
            <YieldBar key="yield" record={record} scale={scale} />,
            record.strikeRate === undefined ? '' : `${record.strikeRate}%`,
            signed(record.profit),
            <TipCounts key="tips" record={record} />,
            <span key="days" className={styles.days}>
              {daysText(record)}
            </span>,
            hasManyWithdrawn(record) ? (
              <Badge key="withdrawn" look="warn">
                {record.numWithdrawn}
              </Badge>
            ) : (
              String(record.numWithdrawn)
            ),
          ],
        }))}
      />
    </>
  )
}

function TipCounts({ record: { numSettled, numVoid } }: { record: Figures }) {
  return (
    <span className={styles.tips}>
      {numSettled}
      {numVoid > 0 && <span className="quiet"> ({numVoid} void)</span>}
    </span>
  )
}
