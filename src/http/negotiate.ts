// Chooses XML or JSON by the Accept header (RFC 9110 12.5.1): quality first, then the more specific range, then the
// order written, then XML.

export type Representation = 'xml' | 'json'

/** null: nothing that the caller accepts. */
export function negotiate(accept: string | undefined): Representation | null {
  if (accept === undefined || accept === 'application/xml') return 'xml'
  if (accept === 'application/json') return 'json'
  return decide(accept)
}

/** Long headers are read up to here; no client lists this many types. */
const MOST_RANGES = 50

type Preference = { quality: number; specificity: number; order: number }

function decide(accept: string): Representation | null {
  if (accept.trim() === '') return 'xml'
  const xml: Preference = { quality: -1, specificity: -1, order: 0 }
  const json: Preference = { quality: -1, specificity: -1, order: 0 }
  accept.split(',', MOST_RANGES).forEach((part, order) => {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const quality = qualityOf(parameters)
    if (quality === null) return
    // The most specific range that matches a representation decides its quality (so `xml;q=0, */*` excludes XML).
    const offer = (preference: Preference, specificity: number) => {
      if (specificity > preference.specificity) Object.assign(preference, { quality, specificity, order })
    }
    if (range === '*/*') {
      offer(xml, 0)
      offer(json, 0)
    } else if (range === 'application/*') {
      offer(xml, 1)
      offer(json, 1)
    } else if (range === 'text/*') {
      offer(xml, 1)
    } else if (range === 'application/xml' || range === 'text/xml') {
      offer(xml, 3)
    } else if (range === 'application/json') {
      offer(json, 3)
    } else if (/^application\/[^/+]*\+xml$/.test(range)) {
      offer(xml, 2)
    } else if (/^application\/[^/+]*\+json$/.test(range)) {
      offer(json, 2)
    }
  })
  const best = better(json, xml) ? json : xml
  if (best.quality <= 0) return null
  return best === json ? 'json' : 'xml'
}

function better(one: Preference, other: Preference): boolean {
  if (one.quality !== other.quality) return one.quality > other.quality
  if (one.specificity !== other.specificity) return one.specificity > other.specificity
  return one.order < other.order
}

/** null when the range is not well-formed and so counts for nothing. */
function qualityOf(parameters: string[]): number | null {
  for (const parameter of parameters) {
    if (!parameter.startsWith('q=')) continue
    return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(parameter) ? Number(parameter.slice(2)) : null
  }
  return 1
}
