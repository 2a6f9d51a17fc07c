// CSV as RFC 4180 describes it, safe to open in a spreadsheet.

import { slices } from './slices.ts'

export type CsvValue = string | number | null

/** A spreadsheet takes a text that begins so for a formula, some also in full width. The apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NEEDS_QUOTES = /[",\r\n]/

/** One line with its end; null is an empty field. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  if (typeof value === 'number') return `${value}`
  const text = value ?? ''
  const safe = FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A file, piece by piece: the names of the columns, then the rows, some hundred lines at a time. */
export async function* csvFile<Row>(
  rows: AsyncIterable<Row>,
  columns: readonly string[],
  toValues: (row: Row) => readonly CsvValue[],
): AsyncGenerator<string> {
  const pause = slices()
  let text = csvLine(columns)
  let lines = 0
  for await (const row of rows) {
    text += csvLine(toValues(row))
    const paused = pause()
    if (paused !== undefined) await paused
    if (++lines % LINES_AT_ONCE !== 0) continue
    yield text
    text = ''
  }
  yield text
}

const LINES_AT_ONCE = 200
