// Chooses XML or JSON by the Accept header (RFC 9110 12.5.1, parsed leniently): quality first, then the more specific
// range, then the order in the header, then XML.

export type Representation = 'xml' | 'json'

/** null: the caller accepts neither. */
export function negotiate(accept: string | undefined): Representation | null {
  if (accept === undefined || accept === 'application/xml') return 'xml'
  if (accept === 'application/json') return 'json'
  return parseAccept(accept)
}

/** For operations whose answer is a stream of events; wildcards and our other types are accepted there too. */
export function acceptsStream(accept: string | undefined): boolean {
  return rangesOf(accept ?? '').some(({ range, quality }) => range === 'text/event-stream' && quality > 0)
}

/** The rest of a longer header is ignored; no client lists this many types. */
const MAX_RANGES = 50

/** Linear in the length of the header: anybody may send one of 16 KB. */
function rangesOf(accept: string): { range: string; quality: number }[] {
  return accept.split(',', MAX_RANGES).map((part) => {
    const [written = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return { range: written === '*' ? '*/*' : written, quality: qualityOf(parameters) }
  })
}

/** What a media range of the header means for a type. */
type Preference = { quality: number; specificity: number; order: number }

/** The media types that request a representation. Wildcards of `application` mean the type that we send. */
type Type = { readonly representation: Representation; readonly wildcards: readonly string[] }

const TYPES: { readonly [name: string]: Type } = {
  'application/xml': { representation: 'xml', wildcards: ['application/*', '*/*'] },
  'text/xml': { representation: 'xml', wildcards: ['text/*'] },
  'application/json': { representation: 'json', wildcards: ['application/*', '*/*'] },
}
const SPECIFICITY: { readonly [range: string]: number } = { '*/*': 0, 'application/*': 1, 'text/*': 1 }
const SUFFIXED = /^application\/[^/+]*\+(xml|json)$/

/** The most specific range decides for each type, so that a range with q=0 refuses no other type. */
function parseAccept(accept: string): Representation | null {
  if (accept.trim() === '') return 'xml'
  const preferences = new Map<string, Preference>()
  rangesOf(accept).forEach(({ range, quality }, order) => {
    const preference = { quality, specificity: specificityOf(range), order }
    for (const type of typesOf(range)) {
      const known = preferences.get(type)
      if (known === undefined || preference.specificity > known.specificity) preferences.set(type, preference)
    }
  })
  const best = { xml: NONE, json: NONE }
  for (const [type, preference] of preferences) {
    const representation = representationOf(type)
    if (better(preference, best[representation])) best[representation] = preference
  }
  const representation = better(best.json, best.xml) ? 'json' : 'xml'
  return best[representation].quality > 0 ? representation : null
}

const NONE: Preference = { quality: 0, specificity: -1, order: 0 }

function typesOf(range: string): string[] {
  if (Object.hasOwn(TYPES, range) || SUFFIXED.test(range)) return [range]
  return Object.keys(TYPES).filter((type) => TYPES[type]?.wildcards.includes(range))
}

function representationOf(type: string): Representation {
  return TYPES[type]?.representation ?? (type.endsWith('+xml') ? 'xml' : 'json')
}

/** application/xml before application/atom+xml before a wildcard. */
function specificityOf(range: string): number {
  return SPECIFICITY[range] ?? (Object.hasOwn(TYPES, range) ? 3 : 2)
}

function better(one: Preference, other: Preference): boolean {
  if (one.quality !== other.quality) return one.quality > other.quality
  if (one.specificity !== other.specificity) return one.specificity > other.specificity
  return one.order < other.order
}

/** Lenient: `.2` is 0.2, and a malformed quality counts as 1. */
export function qualityOf(parameters: string[]): number {
  const written = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1'
  return /^(0?\.[0-9]+|0\.?|1(\.0*)?)$/.test(written) ? Number(written) : 1
}
