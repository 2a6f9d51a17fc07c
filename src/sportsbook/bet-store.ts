// Locked and written as the rows of the catalogue (catalogue/store.ts).

import { writesOf } from '../catalogue/store.ts'
import { locking, writing } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import { bigint, integer, orNull, type RowOf, table, text } from '../platform/database/table-store.ts'

type Ids = { ids: string }
type Rows = { rows: string }

/** `cash_outs` is JSON: [{"at": milliseconds, "num": 1, "den": 2}]. */
export const betList = table('bet', { id: bigint, customer_id: bigint, placed_at: bigint, cash_outs: orNull(text) })
export type BetRow = RowOf<typeof betList>

export const lockBets = locking<Ids, BetRow>('lockBets')`
  select ${betList.columns()} from bet where id ${inList('ids')} order by id for no key update`

export const writeBets = writesOf('Bets', betList, 'placed_at, cash_outs')

export const deleteBetOutcomes = writing<Ids>('deleteBetOutcomes')`
  delete from bet_outcome where bet_id ${inList('ids')}`

export const legList = table('bet_outcome', {
  bet_id: bigint,
  outcome_id: bigint,
  price_num: orNull(bigint),
  price_den: orNull(bigint),
  starting_price: integer,
  each_way_num: orNull(bigint),
  each_way_den: orNull(bigint),
  each_way_places: orNull(integer),
})
export const betOutcomeList = legList.pick('bet_id, outcome_id')
export type BetOutcome = RowOf<typeof betOutcomeList>

export const insertBetOutcomes = writing<Rows>('insertBetOutcomes', betOutcomeList.insertRows)

/** The terms of a leg, as the operator sends them. */
export type LegTerms = Omit<RowOf<typeof legList>, keyof BetOutcome>

/** Separate, so that legs without terms stay rows of two columns. */
export const insertLegs = writing<Rows>('insertLegs', legList.insertRows)
