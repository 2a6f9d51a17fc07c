/** Between the lines of a chart: 1, 2 or 5 times a power of ten, so that there are at most `max` steps. */
export function stepOf(span: number, max: number): number {
  const least = span / max
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power
}
