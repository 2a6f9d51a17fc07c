// Used by the service and by the pages in the browser: builds a request, writes it as a curl command and as a call of the client,
// indents a response.

/** What curl sends as the operator token: the shell's variable, so that no command contains a token. */
export const TOKEN_VARIABLE = 'Bearer $OPERATOR_TOKEN'

/**
 * Parameters that may be sent in a form are, so that they stay out of the address. A field from 'body' is the whole body;
 * its name is the content type.
 */
export function buildRequest({ method, path }, fields, credentials) {
  const headers = [...credentials]
  const takesForm = method === 'POST' || method === 'PUT'
  const query = []
  const form = []
  let body = ''
  let address = path
  for (const { name, from, value } of fields) {
    if (from === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (value === '') continue
    else if (from === 'header') headers.push([name, value])
    else if (from === 'body') {
      headers.push(['content-type', name])
      body = value
    } else if (from.includes('form') && takesForm) form.push(pair(name, value))
    else query.push(pair(name, value))
  }
  if (form.length > 0) headers.push(['content-type', FORM])
  if (query.length > 0) address += `?${query.join('&')}`
  return { method, address, headers, body: body || form.join('&') }
}

const FORM = 'application/x-www-form-urlencoded'

function pair(name, value) {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}

/**
 * `picture` is the body: the name of a file, a path of the service from which the command fetches it first (so that it
 * works unchanged), or ''.
 */
export function curlLine({ method, address, headers, body }, origin, picture) {
  const fetched = picture.startsWith('/')
  const isForm = headers.some(([name, value]) => name === 'content-type' && value === FORM)
  const parts = [method === 'HEAD' ? 'curl --head' : method === 'GET' ? 'curl' : `curl -X ${method}`]
  for (const [name, value] of headers) {
    // curl sends the content type of a form by default.
    if (!isForm || name !== 'content-type') parts.push(`-H ${quotedHeader(name, value)}`)
  }
  if (isForm) for (const one of body.split('&')) parts.push(`-d ${quoted(one)}`)
  else if (body !== '') parts.push(`--data-binary ${quoted(body)}`)
  if (picture !== '') parts.push(`--data-binary ${fetched ? '@-' : quoted(`@${picture}`)}`)
  parts.push(quoted(origin + address))
  const line = parts.join(' \\\n  ')
  return fetched ? `curl -s ${quoted(origin + picture)} | ${line}` : line
}

function quotedHeader(name, value) {
  return value === TOKEN_VARIABLE ? `"${name}: ${value}"` : quoted(`${name}: ${value}`)
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const MAX_LINE_LENGTH = 80

/**
 * A call of the TypeScript client. Blank fields are omitted. `picture` is the parameter of that name: the name of a file, a path of
 * the service from which it is fetched first, or ''.
 */
export function clientCall({ operation, result }, fields, origin, picture) {
  const given = new Map()
  for (const { client, kind, value } of fields) {
    if (value !== '' && !given.has(client)) given.set(client, `${client}: ${literal(kind, value)}`)
  }
  const parameters = [...given.values(), ...(picture === '' ? [] : ['picture'])]
  const read = picture === '' ? '' : `${pictureLine(origin, picture)}\n`
  if (result === 'event')
    return `for await (const event of ${callText('paddock.events', parameters)}) {\n  console.log(event)\n}`
  const before = result === '' ? 'await' : `const ${result} = await`
  return read + callText(`${before} paddock.${operation}`, parameters)
}

function callText(name, parameters) {
  if (parameters.length === 0) return `${name}()`
  const line = `${name}({ ${parameters.join(', ')} })`
  return line.length <= MAX_LINE_LENGTH ? line : `${name}({\n${parameters.map((one) => `  ${one},\n`).join('')}})`
}

function pictureLine(origin, picture) {
  if (picture.startsWith('/')) return `const picture = await (await fetch(${textLiteral(origin + picture)})).blob()`
  return `const picture = await openAsBlob(${textLiteral(picture)}) // of node:fs`
}

/** What is no value of the kind is shown as text, which TypeScript refuses. */
function literal(kind, value) {
  if (kind === 'boolean' && (value === 'Y' || value === 'N')) return String(value === 'Y')
  return kind === 'number' && /^(0|[1-9][0-9]*)$/.test(value) ? value : textLiteral(value)
}

function textLiteral(text) {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\r', '\\r').replaceAll('\n', '\\n')
  return `'${escaped}'`
}

/** Text stays on the line of its element, because white space around it would become part of it. */
export function prettyXml(text) {
  let depth = 0
  let out = ''
  let before = ''
  for (const [token] of text.matchAll(/<[^>]*>?|[^<]+/g)) {
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

/** '': neither. */
export function languageOf(contentType) {
  return contentType.includes('json') ? 'json' : contentType.includes('xml') ? 'xml' : ''
}

/** A body that was cut is shown as it is. */
export function prettyBody(text, language) {
  try {
    return language === 'json' ? prettyJson(text) : language === 'xml' ? prettyXml(text) : text
  } catch {
    return text
  }
}

/** The fault as text; null if the response is none. A wallet's fault has HTTP status 200: the body decides. */
export function faultOf(text) {
  if (!/^(<[?][^>]*>\s*<|{")whoFaults/.test(text)) return null
  const code = /faultCode(?:>|":")([^<"]*)/.exec(text)?.[1]
  const words = /faultString(?:>|":")([^<"]*)/.exec(text)?.[1]
  return `Fault ${code}: ${words}`
}
