// The guides of the operator's reference, which apply to every operation.

import type { Role } from '../../platform/config/roles.ts'
import { type Html, html, table } from '../../reference/html.ts'
import type { Guide } from '../../reference/page-frame.ts'
import { codeBlock, prose, sample } from '../../reference/parts.ts'
import { answeredFields, schemaFields } from '../../reference/schema-fields.ts'
import type { DescribedOperation } from './description.ts'
import { PATTERN_TYPES } from './fields.ts'
import type { DescribedProblem } from './operation-problems.ts'
import { problem } from './problem-schema.ts'
import { sampleCurl } from './reference-operation.ts'

export const GUIDES: readonly Guide[] = [
  { id: 'authentication', title: 'Authentication', words: 'token bearer console session cookie openid first request' },
  { id: 'roles', title: 'Roles', words: 'admin feed accounts moderator auditor' },
  { id: 'formats', title: 'Formats', words: 'ids money amounts times text json put patch' },
  { id: 'lists', title: 'Lists', words: 'cursor limit pages paging' },
  { id: 'problems', title: 'Problems', words: 'errors refusals rfc 9457 400 401 403 408 413 415 422 429 500 503' },
  { id: 'audit-trail', title: 'Audit trail', words: 'entries who changed' },
]

export function guides(operations: readonly DescribedOperation[]): Html {
  return html`${authentication(operations)}
${ROLE_GUIDE}
${FORMATS}
${LISTS}
${problemGuide(operations)}
${AUDIT_TRAIL}`
}

function guide(id: string, content: Html): Html {
  const title = GUIDES.find((one) => one.id === id)?.title ?? ''
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>`
}

function authentication(operations: readonly DescribedOperation[]): Html {
  const me = operations.find(({ name }) => name === 'readMe')
  const first = `export OPERATOR_TOKEN="$(cat data/operator-token)"\n${me === undefined ? '' : sampleCurl(me)}`
  return guide(
    'authentication',
    html`<p>Every operation is a request under <code>/operator/v1</code> on this address, and needs an operator token:
<code>authorization: Bearer TOKEN</code>. The commands on this page read it from the variable
<code>OPERATOR_TOKEN</code> of your shell.</p>
${sample('first-request', 'Your first request', first)}
<p>The bootstrap token has the role admin. It is the setting <code>OPERATOR_TOKEN</code>, or is created at the first start in
<code>operator-token</code> in the data folder. Use it to create a token for each person and program:
<a href="#createToken">createToken</a>, the console, or <code>paddock token NAME ROLE</code>. A token can be limited in time,
and ends at once when it is <a href="#revokeToken">revoked</a>.</p>
<p>People can sign in to the <a href="/">console</a> with the organisation’s OpenID provider instead. Their session is a
cookie, which counts only together with the header <code>x-requested-by: console</code>; programs use tokens.</p>
<p>In production a token is accepted over TLS only, or directly from a private network.</p>`,
  )
}

const RIGHTS: { readonly [R in Role]: string } = {
  admin: 'Everything.',
  feed: 'Change sports, events, bets and settlements; read the events of tips and markets.',
  accounts: 'Change customers, cards, tickets and sessions.',
  events: 'Read the whole log of events.',
  moderator: 'Decide on what was flagged, edit the word lists, read the community’s statistics.',
  auditor: 'Read everything.',
}

const ROLE_GUIDE = guide(
  'roles',
  html`<p>A token has one role. Each operation names those that may call it; another is refused with <code>403</code>.
<a href="#readMe">readMe</a> lists the calls that your token may make.</p>
${table(
  'Roles',
  ['Role', 'May'],
  Object.entries(RIGHTS).map(([role, may]) => [html`<code>${role}</code>`, html`${may}`]),
)}`,
)

const FORMATS = guide(
  'formats',
  html`<p>Bodies and responses are JSON in UTF-8. A field that an operation does not know is refused.</p>
${table(
  'Types',
  ['Type', 'Meaning'],
  [
    ['id', 'A string of 1 to 15 digits. It may be sent as a number too, and is always answered as a string.'],
    ['deduction', 'A part of winnings from `"0"` to `"0.90"`, with at most two decimals.'],
    ['figure', 'Points, per cent or odds as a decimal string with two decimals, such as `"-12.50"`; never money.'],
    ['amount', 'Money as a decimal string: `"12"` or `"12.50"` is accepted, `"12.50"` is answered.'],
    ['time', 'ISO 8601: `2026-03-14T15:09:26.535Z`. Responses are in UTC.'],
    ['date', 'A day in UTC: `2026-03-14`.'],
    ['text', 'A string without control characters; line ends only where the type says so.'],
    [
      'version',
      'What an item was shown with. Sent back, it protects from overwriting a change by somebody else (`409`).',
    ],
  ].map(([name = '', meaning = '']) => [html`${name}`, prose(meaning)]),
)}
<p><code>PUT</code> creates what does not exist (<code>201</code>) and changes what does (<code>200</code>). Fields that you
leave out have their default, or keep their value where there is none.</p>`,
)

const LISTS = guide(
  'lists',
  html`<p>A list is <code>items</code> and <code>cursor</code>. Send the cursor as the parameter <code>cursor</code> to get the
next page; on the last page it is <code>null</code>. <code>limit</code> is the number of items on a page.</p>`,
)

function problemGuide(operations: readonly DescribedOperation[]): Html {
  const shared = sharedProblems(operations)
  const rows = shared.map(({ status, when, example }) => [
    html`<code>${status}</code>`,
    html`${(example as { title: string }).title}`,
    prose(when),
  ])
  const invalid = shared.find(({ status }) => status === 422)
  const errors = { errors: [{ pointer: 'path/id', detail: 'must be an id: 1 to 15 digits' }] }
  return guide(
    'problems',
    html`<p>A refused request is answered with problem details (RFC 9457) as <code>application/problem+json</code>. Match on
the HTTP status; the texts may change. <code>429</code> and <code>503</code> carry <code>retry-after</code>, in seconds. Every
response carries <code>x-request-id</code>, under which the log has the request.</p>
<figure class="sample"><figcaption>A problem</figcaption>
${codeBlock('json', 'A problem', JSON.stringify({ ...invalid?.example, ...errors }, null, 2))}
</figure>
${answeredFields('Fields of a problem', schemaFields(problem), PATTERN_TYPES)}
<h3 id="shared-problems">Shared problems</h3>
${table('Shared problems', ['Status', 'Title', 'When'], rows)}`,
  )
}

function sharedProblems(operations: readonly DescribedOperation[]): DescribedProblem[] {
  const all = operations.flatMap(({ problems }) => problems.filter(({ isShared }) => isShared))
  const byStatus = new Map(all.map((one) => [one.status, one]))
  return [...byStatus.values()].sort((one, other) => one.status - other.status)
}

const AUDIT_TRAIL = guide(
  'audit-trail',
  html`<p>Every change, every read of personal data and every refused request is an entry: who, when, from which address, what
changed from what, never a secret. A change and its entry are stored together or not at all. Entries form a chain of
hashes, which <code>paddock verify-audit</code> checks. <a href="#listAudit">listAudit</a> reads them.</p>`,
)
