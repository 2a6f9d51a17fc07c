// What the server and the page in the browser both do: build a request, say it as a curl line, and indent an answer.

/** The request that a set of fields makes. What may be sent in a form is, so that it stays out of the address. */
export function buildRequest({ method, path, ticketRule }, fields, credentials, accept) {
  const headers = [['accept', accept]]
  if (credentials.key) headers.push(['who-apiKey', credentials.key])
  if (credentials.secret) headers.push(['who-secret', credentials.secret])
  if (credentials.ticket && ticketRule !== 'none') headers.push(['who-ticket', credentials.ticket])
  const takesForm = method === 'POST' || method === 'PUT'
  const query = []
  const form = []
  let address = path
  for (const { name, from, value } of fields) {
    if (from === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (value === '') continue
    else if (from === 'header') headers.push([name, value])
    else if (from.includes('form') && takesForm) form.push(pair(name, value))
    else query.push(pair(name, value))
  }
  if (form.length > 0) headers.push(['content-type', 'application/x-www-form-urlencoded'])
  if (query.length > 0) address += `?${query.join('&')}`
  return { method, address, headers, form: form.join('&') }
}

function pair(name, value) {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}

/**
 * `picture` is what the body is: the name of a file, a path of the service from which it is fetched first (so that the
 * line works as it is), or ''.
 */
export function curlLine({ method, address, headers, form }, origin, picture) {
  const fetched = picture.startsWith('/')
  const parts = [method === 'HEAD' ? 'curl --head' : method === 'GET' ? 'curl' : `curl -X ${method}`]
  for (const [name, value] of headers) {
    // curl says it by itself for a form.
    if (form === '' || name !== 'content-type') parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  }
  if (form !== '') for (const one of form.split('&')) parts.push(`-d ${quoted(one)}`)
  if (picture !== '') parts.push(`--data-binary ${fetched ? '@-' : quoted(`@${picture}`)}`)
  parts.push(quoted(origin + address))
  const line = parts.join(' \\\n  ')
  return fetched ? `curl -s ${quoted(origin + picture)} | ${line}` : line
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Texts keep to the line of their element: white space around them would be part of them. */
export function prettyXml(text) {
  let depth = 0
  let out = ''
  let before = ''
  for (const [token] of text.matchAll(/<[^>]+>|[^<]+/g)) {
    const kind = kindOf(token)
    if (kind === 'text' && token.trim() === '') continue
    if (kind === 'close') depth--
    const staysOnLine = kind === 'text' || before === 'text' || (kind === 'close' && before === 'open')
    out += staysOnLine || out === '' ? token : `\n${'  '.repeat(depth)}${token}`
    if (kind === 'open') depth++
    before = kind
  }
  return out
}

function kindOf(token) {
  if (!token.startsWith('<')) return 'text'
  if (token.startsWith('</')) return 'close'
  return token.startsWith('<?') || token.startsWith('<!') || token.endsWith('/>') ? 'alone' : 'open'
}

export function prettyJson(text) {
  return JSON.stringify(JSON.parse(text), null, 2)
}
