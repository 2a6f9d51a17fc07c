// The headers of W3C Trace Context, strictly: what is malformed is ignored, as if it had not been sent.

export type RemoteParent = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean }

/** A later version may append parts, each after a dash. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const ALL_ZEROS = /^0+$/
const SAMPLED = 1

export function parseTraceparent(header: string): RemoteParent | null {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header) ?? []
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (ALL_ZEROS.test(traceId) || ALL_ZEROS.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

/** Only of spans that are recorded: their trace is sampled. */
export function traceparentOf(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`
}

/** The system of a tenant comes after @. */
const KEY = /^[a-z\d][a-z\d_*/-]*(@[a-z][a-z\d_*/-]*)?$/
/** Printable, without a comma and an equals sign. */
const VALUE = /^[ -+\--<>-~]+$/
const MAX_PART = 256
const MAX_MEMBERS = 32
const MAX_LENGTH = 512
const LONG_MEMBER = 128

/** As it is to be passed on; '': nothing. What is too long loses its long members first, then its last ones. */
export function parseTracestate(header: string): string {
  const members = header
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf('='))))
  if (!members.every(isMember) || members.length > MAX_MEMBERS || keys.size < members.length) return ''
  return shortened(members).join(',')
}

function isMember(member: string): boolean {
  const equals = member.indexOf('=')
  const [key, value] = [member.slice(0, Math.max(equals, 0)), member.slice(equals + 1)]
  return KEY.test(key) && VALUE.test(value) && Math.max(key.length, value.length) <= MAX_PART
}

function shortened(members: readonly string[]): readonly string[] {
  const fits = (some: readonly string[]) => some.join(',').length <= MAX_LENGTH
  if (fits(members)) return members
  const rest = members.filter((member) => member.length <= LONG_MEMBER)
  while (!fits(rest)) rest.pop()
  return rest
}
