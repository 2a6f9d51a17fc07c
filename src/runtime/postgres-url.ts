/** Those of libpq that make sense for a service that writes. */
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary']

const SEVERAL_SERVERS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/

type ServersOfUrl = { readonly urls: readonly string[]; readonly mustTakeWrites: boolean }

/**
 * A URL may name several servers, as libpq's: postgres://a,b,c/name?target_session_attrs=read-write. Returns one URL for
 * each. Throws in words if it is malformed; the words repeat nothing of the URL, which has a password.
 */
export function serversOf(url: string): ServersOfUrl {
  const parts = SEVERAL_SERVERS.exec(url)
  if (parts === null) throw new Error('write an address that begins with postgres:// or postgresql://')
  const [, before, servers = '', after] = parts
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

function withoutSessionAttributes(url: string): string {
  return url.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before, after) => (after === '' ? '' : before))
}

/** Several URLs, separated by commas; each may name several servers. */
export function splitUrls(urls: string): string[] {
  return urls.split(/,(?=\s*\w+:\/\/)/).map((url) => url.trim())
}
