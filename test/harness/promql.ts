// What an expression of Prometheus names: metrics, with the labels that are selected of each, and labels that group.

export type Named = { metrics: { name: string; labels: string[] }[]; grouped: string[] }

const SELECTOR = /\b(paddock_\w+|process_\w+|up)\b(?:\{([^}]*)\})?/g
const GROUPS = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g

export function namesIn(expression: string): Named {
  const metrics = [...expression.matchAll(SELECTOR)].map(([, name, labels = '']) => ({
    name: `${name}`,
    labels: [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => `${label}`),
  }))
  const grouped = [...expression.matchAll(GROUPS)].flatMap(([, labels = '']) =>
    labels.split(',').map((one) => one.trim()),
  )
  return { metrics, grouped }
}

/** Names of series → their label names, of what the service answers at /metrics. */
export function labelsByMetric(text: string): Map<string, string[]> {
  const series = [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)]
  return new Map(
    series.map(([, name, labels = '']) => [`${name}`, [...labels.matchAll(/(\w+)="/g)].map(([, label]) => `${label}`)]),
  )
}
