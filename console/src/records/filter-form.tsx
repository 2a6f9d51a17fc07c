import { useState } from 'react'
import { useResource } from '../api/resource.ts'
import { SelectField } from '../parts/fields.tsx'
import { BAND_OPTIONS, PERIOD_OPTIONS, type RecordFilters, TIME_OPTIONS } from './filters.ts'

type RecordFilterFormProps = {
  filters: RecordFilters
  /** Only records have tips in play. */
  offersInPlay?: true
  linkTo: (filters: RecordFilters) => string
}

/** Opens the address with the chosen filters. */
export function RecordFilterForm({ filters, offersInPlay, linkTo }: RecordFilterFormProps) {
  const [chosen, setChosen] = useState(filters)
  const sports = useSportOptions(filters.sportId)
  const setter = (name: keyof RecordFilters) => (value: string) => setChosen({ ...chosen, [name]: value })
  return (
    <form
      className="panel inline narrow"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault()
        location.hash = linkTo(chosen)
      }}
    >
      <SelectField label="Period" value={chosen.numDays} onChange={setter('numDays')} options={PERIOD_OPTIONS} />
      <SelectField label="Sport" value={chosen.sportId} onChange={setter('sportId')} options={sports} />
      <SelectField label="Decimal odds" value={chosen.band} onChange={setter('band')} options={BAND_OPTIONS} />
      {offersInPlay && (
        <SelectField label="Tips made" value={chosen.inPlay} onChange={setter('inPlay')} options={TIME_OPTIONS} />
      )}
      <button type="submit" className="primary">
        Filter
      </button>
    </form>
  )
}

/** The sport of the address is offered also while the list is loading, or where it could not be loaded. */
export function useSportOptions(sportId: string): { value: string; label: string }[] {
  const { answer } = useResource('listSports')
  const known = (answer?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isMissing = sportId !== '' && known.every(({ value }) => value !== sportId)
  return [
    { value: '', label: 'all sports' },
    ...(isMissing ? [{ value: sportId, label: `sport ${sportId}` }] : []),
    ...known,
  ]
}
