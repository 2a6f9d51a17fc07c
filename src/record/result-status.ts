import { RESULTS, type Result } from './figures.ts'

/** W and L are those of the contract; V is neither: void, and shown as A. */
export type ResultStatus = 'W' | 'L' | 'V'

/** A: no result yet. */
export type TipStatus = 'A' | ResultStatus

const STATUS_OF: Readonly<Record<Result, ResultStatus>> = {
  win: 'W',
  'half-win': 'W',
  lose: 'L',
  'half-lose': 'L',
  place: 'L',
  void: 'V',
  push: 'V',
}

export function statusOfResult(result: Result | null): TipStatus {
  return result === null ? 'A' : STATUS_OF[result]
}

/** The same in SQL, of a column. */
export function statusOfColumn(column: string): string {
  const cases = (['W', 'L', 'V'] as const).map((status) => {
    const results = RESULTS.filter((result) => STATUS_OF[result] === status).map((result) => `'${result}'`)
    return `when ${column} in (${results.join(', ')}) then '${status}'`
  })
  return `case ${cases.join(' ')} else 'A' end`
}
