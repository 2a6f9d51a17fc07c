// The guides of the reference, which apply to every operation.

import { Fault, type FaultKind, faultTable } from '../faults.ts'
import { faultBody } from '../http/failures.ts'
import { type Area, areaOf, type Operation } from '../http/operation.ts'
import { type Html, html, joinHtml, nothing, table } from './html.ts'
import { faultNameCell, SAMPLE_CREDENTIALS, SAMPLE_ORIGIN, xmlAndJsonSample } from './operation-section.ts'
import { sample } from './parts.ts'
import { type Refusal, refusals } from './refusals.ts'
import { buildRequest, curlLine, publicHeaders } from './shared.js'

export function gettingStarted(operations: readonly Operation[]): Html {
  const headers = [
    ['accept', 'no', 'application/xml (when absent) or application/json'],
    ['who-apiKey', 'yes', 'The key of your application'],
    ['who-secret', 'yes', 'The secret of your application; send it over HTTPS only'],
    ['who-ticket', 'per operation', 'The session ticket of the customer that you act for'],
  ].map(([name = '', sent = '', meaning = '']) => [html`<code>${name}</code>`, html`${sent}`, html`${meaning}`])
  return html`<section id="getting-started" aria-labelledby="getting-started-title">
<h2 id="getting-started-title">Getting started</h2>
<p>Every operation is a request under <code>/v1/</code> on this address. Its headers identify you:</p>
${table('Request headers', ['Header', 'Required', 'Meaning'], headers)}
${sample('first-request', 'Your first request', firstRequest())}
<p>This key and secret work in the sandbox, which has twenty profiles.</p>
<h3>Tickets</h3>
${ticketGuide(operations)}
<p>An unknown or expired ticket is refused with <code>401</code> even where none is required, so that you notice that
the session has ended.</p>
<h3>Parameters</h3>
<ul>
<li>An id in a path consists of digits. An empty id is missing (<code>10070</code>), anything else is invalid
(<code>10071</code>).</li>
<li>A parameter that is sent twice, contains a control character or is not valid UTF-8 is invalid. Biographies and the
text of a comment may contain up to 10 line feeds; CR LF and CR become LF.</li>
<li>A blank optional parameter counts as absent, except <code>blockSize</code> and <code>blockNum</code>.</li>
<li>If a parameter is sent in two places, the query string takes precedence. Forms and headers are UTF-8; a form may be
percent-encoded or not.</li>
<li>A body that an operation does not use is ignored, up to 64 KiB.</li>
</ul>
<h3>Lists</h3>
<p>Lists are paged: <code>blockSize</code> is the number of items per block, <code>blockNum</code> the number of the
block. An empty list is <code>204</code> without a body.</p>
<h3>Machine-readable descriptions</h3>
<p><a href="/openapi.json">OpenAPI 3.1</a> describes every operation and its JSON. The XML of each operation has a
schema, linked below the operation; faults have <a href="/schemas/faults.xsd">one too</a>.
<a href="/schemas/paddock.xsd">One schema for all of them</a> gives a generator one set of classes. It is less strict:
fields that only some operations answer with are optional in it.</p>
<p>Every operation answers in XML and in JSON, and XML comes first. A client that is generated from OpenAPI must choose, for
example <code>createClient&lt;paths, 'application/json'&gt;</code> with openapi-fetch, and send
<code>accept: application/json</code>.</p>
<p><a href="/postman.json">A Postman collection</a> has every request with values that work in the sandbox. In Postman, choose
Import and paste its address (<code>/postman.json</code> of this service); then set the collection’s
variables <code>baseUrl</code>, <code>apiKey</code>, <code>secret</code> and <code>ticket</code>.</p>
</section>`
}

function firstRequest(): string {
  const headers = publicHeaders({ ...SAMPLE_CREDENTIALS, ticket: '' }, 'optional', 'application/json')
  const fields = [
    { name: 'id', from: 'path', value: '2' },
    { name: 'communities', from: 'query', value: 'Y' },
  ]
  return curlLine(buildRequest({ method: 'GET', path: '/v1/profiles/{id}' }, fields, headers), SAMPLE_ORIGIN, '')
}

function ticketGuide(operations: readonly Operation[]): Html {
  if (!operations.some(({ name }) => name === 'createTicket')) {
    return html`<p>Tickets are the access tokens of the identity provider that this service trusts.</p>`
  }
  return html`<p><a href="#createTicket">createTicket</a> issues one for a customer’s user name and password. It
expires after two hours without use and after eight hours at most; an extended one after 60 days. <a href="#endTicket">endTicket</a>
ends it at once.</p>`
}

const ROOTS: { readonly [A in Exclude<Area, 'stream'>]: { readonly root: string; readonly json: string } } = {
  sessions: { root: 'whoSessions', json: 'an object' },
  profiles: { root: 'whoProfiles', json: 'an array of one-key objects, also for a single profile' },
  communities: {
    root: 'whoCommunities',
    json: 'an object; a repeated element is an object when there is one, an array when there are more',
  },
  wallets: { root: 'whoWallets', json: 'an object; paymentMethods is an array' },
}

export function representations(operations: readonly Operation[]): Html {
  const areas = [...new Set(operations.map(({ path }) => areaOf(path)))].filter((area) => area !== 'stream')
  const accepts = [
    ['absent, */*, application/xml, text/xml, application/*+xml', 'XML'],
    ['application/json, application/*+json', 'JSON'],
    ['none of these', '406, fault 10071'],
  ].map(([accept = '', answer = '']) => [html`${accept}`, html`${answer}`])
  const roots = areas.map((area) => [
    html`${area}`,
    html`<code>${ROOTS[area].root}</code>`,
    html`${ROOTS[area].json}`,
    html`${area === 'communities' ? 'an object with one fault' : 'an array of faults'}`,
  ])
  return html`<section id="representations" aria-labelledby="representations-title">
<h2 id="representations-title">Representations</h2>
<p>The <code>accept</code> header selects one, with quality values and wildcards as in RFC 9110.</p>
${table('Accept', ['You accept', 'You get'], accepts)}
<ul>
<li>Both are UTF-8 with the same content. Attributes of XML are ordinary keys in JSON.</li>
<li>Every JSON value is a string, numbers too.</li>
<li>Yes and no are <code>Y</code> and <code>N</code>.</li>
<li>Times have an offset, never <code>Z</code>: <code>2026-11-15T09:30:00.000+00:00</code>.</li>
<li>Elements of XML come in the order of the schema. An optional field without a value is omitted.</li>
</ul>
${table('Roots', ['Area', 'Root', 'In JSON', 'Faults in JSON'], roots, true)}
</section>`
}

export function errors(operations: readonly Operation[]): Html {
  const form = (area: Area) => {
    const fault = new Fault('noProfile', 'id')
    return { xml: faultBody(fault, 'xml', area).text, json: faultBody(fault, 'json', area).text }
  }
  const sources = sourcesByKind(operations)
  const inCommunities = operations.some(({ path }) => areaOf(path) === 'communities')
  return html`<section id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
<p>A refused request is answered with one fault, the first in this order: key, secret, ticket, missing parameters,
invalid parameters, objects that do not exist, rules of the operation. Match on the HTTP status and
<code>faultCode</code>; the text may change. <code>faultName</code> names the parameter at fault, and
<code>solution</code>, only with <code>30432</code>, is your text with the offending words masked.</p>
${xmlAndJsonSample('A fault', form('profiles'))}
${inCommunities ? xmlAndJsonSample('A fault of communities', form('communities')) : nothing}
<p>Faults of the wallet’s own table, and a login without user name or password, have HTTP status <code>200</code>:
check the root of the response. <code>429</code> and <code>503</code> carry <code>retry-after</code>. Every
response carries <code>x-request-id</code>; quote it when you ask for help.</p>
<h3 id="shared-faults">Faults shared by all operations</h3>
${sharedTable(sources)}
<h3 id="all-faults">All faults</h3>
${allTable(sources, operations)}
</section>`
}

type FaultSource = { readonly operation: Operation; readonly refusal: Refusal }

/** The operations that can answer with each kind of fault. */
function sourcesByKind(operations: readonly Operation[]): Map<FaultKind, FaultSource[]> {
  const all = operations.flatMap((operation) => refusals(operation).map((refusal) => ({ operation, refusal })))
  return Map.groupBy(all, ({ refusal }) => refusal.kind)
}

const COLUMNS = ['HTTP', 'Code', 'faultName', 'Text']

function sharedTable(sources: Map<FaultKind, FaultSource[]>): Html {
  const shared = [...sources].filter(([, by]) => by.some(({ refusal }) => refusal.shared)).map(([kind]) => kind)
  const rows = sortByCode(shared).map((kind) => faultCells(kind, sources.get(kind) ?? []))
  return table('Shared faults', COLUMNS, rows)
}

/** Refused before an operation is found. */
const OF_ANY_REQUEST: readonly FaultKind[] = [
  'noSuchPath',
  'methodNotServed',
  'malformedRequest',
  'expectationFailed',
  'headersTooLarge',
  'tooSlow',
  'notificationInvalid',
]

function allTable(sources: Map<FaultKind, FaultSource[]>, operations: readonly Operation[]): Html {
  const kinds = new Set([...sources.keys(), ...OF_ANY_REQUEST])
  const rows = sortByCode([...kinds]).map((kind) => {
    const by = sources.get(kind) ?? []
    return [...faultCells(kind, by), operationLinks(by, operations.length)]
  })
  return table('All faults', [...COLUMNS, 'Operations'], rows)
}

function sortByCode(kinds: readonly FaultKind[]): FaultKind[] {
  const rank = (kind: FaultKind) => `${faultTable[kind].code} ${faultTable[kind].status}`
  return [...kinds].sort((one, other) => rank(one).localeCompare(rank(other)))
}

function faultCells(kind: FaultKind, by: readonly FaultSource[]): Html[] {
  const { status, code, text } = faultTable[kind]
  return [html`<code>${status}</code>`, html`<code>${code}</code>`, faultNameCell(summariseNames(by)), html`${text}`]
}

const MAX_LISTED = 4

function summariseNames(by: readonly FaultSource[]): string[] {
  const names = [...new Set(by.flatMap(({ refusal }) => refusal.names))]
  return names.length > MAX_LISTED ? ['the parameter at fault'] : names
}

function operationLinks(by: readonly FaultSource[], all: number): Html {
  if (by.length === 0) return html`any request`
  if (by.length === all) return html`every operation`
  if (by.length > MAX_LISTED) return html`${by.length} operations`
  return joinHtml(
    by.map(({ operation }) => html`<a href="#${operation.name}">${operation.name}</a>`),
    ', ',
  )
}
