// The filters of the board and of a record, as the address holds them and the API takes them.

import { linkTo } from '../../../web/route.ts'

export type RecordFilters = { numDays: string; sportId: string; band: string; inPlay: string }

/** With the tips that a rank needs. The API calls the whole time 0. */
const PERIODS: readonly { numDays: string; label: string; least: number }[] = [
  { numDays: '7', label: '7 days', least: 20 },
  { numDays: '30', label: '30 days', least: 20 },
  { numDays: '90', label: '90 days', least: 50 },
  { numDays: '365', label: '365 days', least: 100 },
  { numDays: '0', label: 'all time', least: 100 },
]
const MIN_DAYS = 5
export const PERIOD_OPTIONS = PERIODS.map(({ numDays, label }) => ({ value: numDays, label }))

/** Decimal odds, as the API names the bands. */
const BANDS = ['1-2', '2-4', '4-8', '8-16', '16-up'] as const
export const BAND_OPTIONS = [
  { value: '', label: 'all prices' },
  ...BANDS.map((band) => ({ value: band as string, label: bandLabel(band) })),
]

export const TIME_OPTIONS = [
  { value: '', label: 'before start' },
  { value: 'Y', label: 'in play' },
]

export function bandLabel(band: string): string {
  const [from, below] = band.split('-')
  return below === 'up' ? `${from} and longer` : `${from} to below ${below}`
}

export function rankRule(numDays: string): string {
  const least = PERIODS.find((period) => period.numDays === numDays)?.least ?? 100
  return `In this period a rank needs at least ${least} tips that won or lost, settled on at least ${MIN_DAYS} days.`
}

/** `period`: where the address has none. Unknown values stay: the server explains what is wrong with them. */
export function filtersOf(query: URLSearchParams, period: string): RecordFilters {
  return {
    numDays: query.get('numDays') || period,
    sportId: query.get('sportId') ?? '',
    band: query.get('band') ?? '',
    inPlay: query.get('inPlay') ?? '',
  }
}

function queryOf(filters: Partial<RecordFilters>): string {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
}

export function boardLink({ inPlay, ...filters }: RecordFilters): string {
  return `${linkTo('tipsters')}?${queryOf(filters)}`
}

export function recordLink(profileId: string, filters: Partial<RecordFilters> = {}): string {
  const query = queryOf(filters)
  return linkTo('tipsters', profileId) + (query === '' ? '' : `?${query}`)
}
