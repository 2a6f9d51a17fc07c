// Used by the server and by the page in the browser: builds a request, writes it as a curl command, indents a response.

/** Parameters that may be sent in a form are, so that they stay out of the address. */
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
 * `picture` is the body: the name of a file, a path of the service from which the command fetches it first (so that it
 * works unchanged), or ''.
 */
export function curlLine({ method, address, headers, form }, origin, picture) {
  const fetched = picture.startsWith('/')
  const parts = [method === 'HEAD' ? 'curl --head' : method === 'GET' ? 'curl' : `curl -X ${method}`]
  for (const [name, value] of headers) {
    // curl sends the content type of a form by default.
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

/** Text stays on the line of its element, because white space around it would become part of it. */
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
