import { idList } from '../../platform/database/database.ts'

/** Captures of one batch are recorded together. */
export const DEPOSITS_AT_ONCE = 20
export const DEPOSIT_IDS = idList(DEPOSITS_AT_ONCE)
export type DepositIds = { readonly [name: `id${number}`]: string }

/** Unused places are empty, which is no deposit's id. */
export function depositIds(ids: readonly string[]): DepositIds {
  if (ids.length > DEPOSITS_AT_ONCE) throw new Error(`${ids.length} deposits at once: at most ${DEPOSITS_AT_ONCE}`)
  return Object.fromEntries(
    Array.from({ length: DEPOSITS_AT_ONCE }, (_, index) => [`id${index + 1}`, ids[index] ?? '']),
  )
}
