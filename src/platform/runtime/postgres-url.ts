/** The values of target_session_attrs, as in libpq, that make sense for a service that writes. */
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary']

type ServersOfUrl = { readonly urls: readonly string[]; readonly mustTakeWrites: boolean }

/**
 * A URL may name several servers, as libpq's: postgres://a,b,c/name?target_session_attrs=read-write. Returns one URL for
 * each. Throws in words if it is malformed; the words repeat nothing of the URL, which has a password.
 */
export function serversOf(url: string): ServersOfUrl {
  const [before, servers, after] = partsOf(url)
  const urls = servers.split(',').map((server) => `${before}${server}${after}`)
  if (urls.some((one) => !URL.canParse(one)) || (urls.length > 1 && /^,|,,|,$/.test(servers))) {
    throw new Error(
      'write postgres://user:password@host/name, or several hosts: postgres://user:password@a,b:5433/name',
    )
  }
  const wanted = new URL(urls[0] as string).searchParams.get('target_session_attrs') ?? 'any'
  if (!SESSION_ATTRIBUTES.includes(wanted)) {
    throw new Error(`target_session_attrs must be one of ${SESSION_ATTRIBUTES.join(', ')}`)
  }
  return { urls: urls.map(withoutSessionAttributes), mustTakeWrites: wanted !== 'any' }
}

/** The user with the password belongs to the first part, the database to the last. */
function partsOf(url: string): [before: string, servers: string, after: string] {
  const scheme = /^postgres(?:ql)?:\/\//.exec(url)?.[0]
  if (scheme === undefined) throw new Error('write an address that begins with postgres:// or postgresql://')
  const length = url.slice(scheme.length).search(/[/?#]/)
  const end = length === -1 ? url.length : scheme.length + length
  const start = Math.max(scheme.length, url.lastIndexOf('@', end - 1) + 1)
  return [url.slice(0, start), url.slice(start, end), url.slice(end)]
}

function withoutSessionAttributes(url: string): string {
  return url.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before, after) => (after === '' ? '' : before))
}

/** Several URLs, separated by commas; each may name several servers. */
export function splitUrls(urls: string): string[] {
  const found: string[] = []
  for (const part of urls.split(',')) {
    // A comma before anything but a scheme separates the servers of one URL.
    if (found.length === 0 || /^\s*\w+:\/\//.test(part)) found.push(part)
    else found.push(`${found.pop()},${part}`)
  }
  return found.map((url) => url.trim())
}
