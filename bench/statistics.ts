/**
 * The median of the rounds, and its 95 % confidence interval as a share of it: 1.57 times the distance of the quartiles
 * by the root of the rounds, as the notches of a box plot. A few disturbed rounds do not change it.
 */
export type Figure = { median: number; spread: number }

export function figureOf(values: readonly number[]): Figure {
  const middle = median(values)
  const quartileDistance = quantile(values, 0.75) - quantile(values, 0.25)
  return { median: middle, spread: middle === 0 ? 0 : (1.57 * quartileDistance) / Math.sqrt(values.length) / middle }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Interpolates linearly between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const position = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0]
  return below + (above - below) * (position - Math.floor(position))
}
