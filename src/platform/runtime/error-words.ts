/** Where a name has several addresses and none of them answers, Node's error has no words of its own: those of each are within. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(wordsOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
