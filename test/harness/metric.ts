/** The value of one metric, by its name and labels as they stand in the text. */
export function metric(metrics: string, name: string): number {
  const line = metrics.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? Number.NaN)
}
