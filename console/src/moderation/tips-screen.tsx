import type { Tip } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { TIP_STATES } from '../../../web/words/moderation.ts'
import { usePagedList, useResource } from '../api/resource.ts'
import { DayChart } from '../overview/day-chart.tsx'
import { countCharts } from '../overview/statistics-charts.ts'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import chartStyles from '../parts/chart.module.css'
import { DataTable } from '../parts/data-table.tsx'
import { EventName } from '../parts/event-name.tsx'
import { FilterBar, type FilterField } from '../parts/filter-bar.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { useSportOptions } from '../records/filter-form.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { TipStateBadge } from './tip-state.tsx'
import styles from './tips-screen.module.css'

const TREND_DAYS = 14
const SHOWN_TRENDS = ['tips', 'likes']

const SHOWN = [
  { value: 'newest', label: 'Newest' },
  { value: 'liked', label: 'Most liked' },
  { value: 'featured', label: 'Featured' },
]
const { held: _, ...LISTED_STATES } = TIP_STATES
const STATES = [
  { value: '', label: 'Any' },
  ...Object.entries(LISTED_STATES).map(([value, label]) => ({ value, label })),
]

type Filters = { show: string; state: string; sportId: string; profileId: string }

export function TipsScreen({ query }: { query: URLSearchParams }) {
  const of = (name: string) => query.get(name) ?? ''
  const filters = {
    show: of('show') || 'newest',
    state: of('state'),
    sportId: of('sportId'),
    profileId: of('profileId'),
  }
  const list = usePagedList('listTips', { query: apiQuery(filters) })
  const pages = usePages(list)
  const may = usePermission()
  return (
    <>
      <ScreenHeader title="Tips" />
      <p className="lead">
        Tips of all profiles. Whose tips win is on the board of <a href={linkTo('tipsters')}>tipsters</a>.
      </p>
      {may('readStatistics') && <Trends />}
      {may('listTopOutcomes') && <TopOutcomeTable />}
      <TipFilters filters={filters} />
      {pages.shown.length > 0 && <TipTable items={pages.shown} onDecided={list.reload} />}
      {list.items.length === 0 && !list.loading && !list.refusal && <p className="empty">No matching tips</p>}
      <Pager pages={pages} />
    </>
  )
}

/** The most liked are live ones: there is no state to choose. */
function apiQuery({ show, state, sportId, profileId }: Filters) {
  return {
    order: show === 'liked' ? 'liked' : 'newest',
    featured: show === 'featured' ? 'true' : '',
    state: show === 'liked' ? '' : state,
    sportId,
    profileId,
  }
}

function Trends() {
  const { answer } = useResource('readStatistics', { query: { days: TREND_DAYS } })
  if (answer === undefined) return null
  const series = answer.series.filter(({ name }) => SHOWN_TRENDS.includes(name))
  return (
    <section aria-label="Trends">
      <h2 className="hidden-text">Trends</h2>
      <div className={chartStyles.charts}>
        {countCharts({ ...answer, series }).map((chart) => (
          <DayChart key={chart.title} chart={chart} />
        ))}
      </div>
    </section>
  )
}

function TopOutcomeTable() {
  const { answer } = useResource('listTopOutcomes')
  if (answer === undefined || answer.items.length === 0) return null
  return (
    <details className="card">
      <summary>
        Outcomes that gather tips now: <strong>{answer.items[0]?.name}</strong> first
      </summary>
      <DataTable
        label="Top outcomes"
        columns={['Outcome', 'Event', 'Market', 'Live tips', 'Likes']}
        rows={answer.items.map(({ id, name, event, market, numTips, numLikes }) => ({
          key: id,
          cells: [name, event, market, String(numTips), String(numLikes)],
        }))}
      />
    </details>
  )
}

/** The most liked are live ones: there is no state to choose. */
function TipFilters({ filters }: { filters: Filters }) {
  const sports = useSportOptions(filters.sportId)
  const fields: FilterField<keyof Filters>[] = [
    { name: 'show', label: 'Show', options: SHOWN },
    ...(filters.show === 'liked' ? [] : [{ name: 'state', label: 'State', options: STATES } as const]),
    { name: 'sportId', label: 'Sport', options: sports },
    { name: 'profileId', label: 'Author (profile ID)', inputMode: 'numeric', pattern: '[0-9]{1,15}' },
  ]
  return <FilterBar fields={fields} values={filters} linkOf={tipsLink} />
}

function tipsLink(filters: Filters): string {
  const entries = Object.entries({ ...filters, profileId: filters.profileId.trim() })
  const next = new URLSearchParams(
    entries.filter(([name, value]) => value !== '' && `${name}=${value}` !== 'show=newest'),
  )
  return next.size === 0 ? linkTo('tips') : `${linkTo('tips')}?${next}`
}

function TipTable({ items, onDecided }: { items: readonly Tip[]; onDecided: () => void }) {
  return (
    <DataTable
      label="Tips"
      columns={['Created', 'Author', 'Tip', 'On', 'Likes', 'State', 'Actions']}
      rows={items.map((tip) => ({
        key: tip.id,
        cells: [
          <DateTime key="created" at={tip.createdAt} />,
          <a key="author" href={linkTo('tipsters', tip.profileId)}>
            {tip.profileName || `Profile ${tip.profileId}`}
          </a>,
          <a key="text" className={styles.tipText} href={linkTo('comments', tip.id)}>
            {tip.text || `Tip ${tip.id}`}
          </a>,
          <span key="on" className="sent">
            <span>{tip.outcome}</span>
            <span className="quiet">
              <EventName {...tip} />
            </span>
          </span>,
          String(tip.numLikes),
          <TipState key="state" tip={tip} />,
          <FeatureButton key="do" tip={tip} onDecided={onDecided} />,
        ],
      }))}
    />
  )
}

/** Without one: open and void. */
const LOOKS: Partial<Record<Tip['result'], 'good' | 'bad'>> = { won: 'good', lost: 'bad' }

function TipState({ tip: { state, result, isFeatured } }: { tip: Tip }) {
  return (
    <span>
      {state === 'live' ? <Badge look={LOOKS[result] ?? 'plain'}>{result}</Badge> : <TipStateBadge state={state} />}{' '}
      {isFeatured && <Badge>featured</Badge>}
    </span>
  )
}

/** Only live tips can be featured. */
function FeatureButton({ tip, onDecided }: { tip: Tip; onDecided: () => void }) {
  const { api } = useSession()
  const notify = useNotice()
  const may = usePermission()
  if (!may('moderateComment') || tip.state !== 'live') return null
  const action = tip.isFeatured ? 'unfeature' : 'feature'

  async function decide(): Promise<void> {
    await api('moderateComment', { id: tip.id, body: { action } })
    notify(`Tip ${tip.id} is ${tip.isFeatured ? 'no longer featured' : 'featured'}.`)
    onDecided()
  }

  return (
    <ActionButton action={decide} label={`${tip.isFeatured ? 'Unfeature' : 'Feature'} tip ${tip.id}`}>
      {tip.isFeatured ? 'Unfeature' : 'Feature'}
    </ActionButton>
  )
}
