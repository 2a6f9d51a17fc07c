/** By the names of the columns. */
export type Line = Readonly<Record<string, string>>

/** Throws where the report lacks the column. */
export function textIn(line: Line, column: string): string {
  const text = line[column]
  if (text === undefined) throw new Error(`the report has no column "${column}"`)
  return text
}
