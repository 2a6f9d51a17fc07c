// The page of one operation.

import {
  answersOf,
  type JsonSchema,
  type OpenApi,
  type ReferenceOperation,
  type Response,
  resolved,
} from './document.ts'
import { explainedBy } from './handbook-pages.ts'
import { capitalise, type Html, html, joinHtml, nothing, prose, table } from './html.ts'
import { ownProblemFields, refusalTable } from './refusal-tables.ts'
import { answerGroups, answerSamples, requestSamples } from './samples.ts'
import { answeredFields, defaultValue, schemaFields, sentFields, typeAndLimits } from './schema-fields.ts'
import type { Site } from './site.ts'
import { tryForm } from './try-form.ts'

export function operationPage(site: Site, operation: ReferenceOperation): Html {
  const { document } = site
  const { name, path, summary, description = '', externalDocs } = operation
  return html`<article class="operation">
<h1>${name}</h1>
<p class="endpoint">${methodBadge(operation)} ${pathCode(path)}</p>
<p class="summary">${prose(`${summary}. ${description}`.trimEnd())}</p>
<ul class="facts">${[...facts(document, operation), ...explainedBy(operation)].map((line) => html`<li>${line}</li>`)}</ul>
${parameterTable(document, operation)}
${bodyFields(document, operation)}
${requestSamples(site, operation)}
${tryForm(site, operation)}
<div class="answers">
<div>${answerSamples(operation)}</div>
<div>${refusalTable(document, operation)}</div>
</div>
${eventTable(operation)}
${responseFields(document, operation)}
${ownProblemFields(document, operation)}
${externalDocs === undefined ? nothing : html`<p class="more"><a href="${externalDocs.url}">${externalDocs.description}</a></p>`}
</article>`
}

export function methodBadge({ method }: { readonly method: string }): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

function pathCode(path: string): Html {
  const parts = path.split(/(\{\w+\})/)
  const marked = parts.map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : html`${part}`))
  return html`<code>${marked}</code>`
}

// ---- Facts.

function facts(document: OpenApi, operation: ReferenceOperation): Html[] {
  const { alsoAt, body, method } = operation
  const audited = operation['x-audited']
  const answer = answersOf(operation)
  const ownHeaders = answer.flatMap(({ headers = {} }) => Object.entries(headers).filter(([, { $ref }]) => !$ref))
  const types = Object.keys(answer[0]?.content ?? {})
  return [
    ...callers(operation),
    html`<strong>Responds</strong> with ${responded(document, operation, answer)}.`,
    ...(types.includes('text/csv') ? [html`<strong>File</strong>: <code>text/csv</code>. Below are its columns.`] : []),
    ...ownHeaders.map(
      ([name, header]) => html`<strong>Header</strong> <code>${name}</code>: ${header.description ?? ''}.`,
    ),
    ...alsoAt.map((path) => html`<strong>Also at</strong> ${pathCode(path)}.`),
    ...(body === undefined ? [] : [html`<strong>Body</strong>: ${bodyType(body)}.`]),
    ...(audited === 'reads' ? [html`<strong>Personal data</strong>: each read is in the audit trail.`] : []),
    ...(audited === 'changes' && method !== 'GET'
      ? [html`<strong>Changes data</strong>: the audit trail records it, also when it is refused.`]
      : []),
  ]
}

function bodyType({ mediaType, required }: NonNullable<ReferenceOperation['body']>): Html {
  if (mediaType.startsWith('image/')) return html`the picture’s bytes, whatever their content type`
  return html`<code>${mediaType}</code>, ${required ? 'required' : 'may be left out'}`
}

/** Who may call it: the roles of a token, or what a customer's ticket changes. */
function callers({ security }: ReferenceOperation): Html[] {
  const schemes = security.map((one) => Object.keys(one))
  const roles = security.flatMap((one) => Object.values(one).flat())
  const withTicket = schemes.filter((one) => one.includes('who-ticket')).length
  if (roles.length > 0) {
    const named = roles.map((role) => html`<code>${role}</code>`)
    return [html`<strong>Roles</strong>: ${joinHtml(named, ', ')} (<a href="/docs/roles">what each may do</a>).`]
  }
  if (schemes.length === 0) return [html`<strong>No credentials</strong>: anybody may call it, without a key.`]
  const ticket =
    withTicket === 0
      ? html`<strong>No ticket</strong>: key and secret are enough.`
      : withTicket === schemes.length
        ? html`<strong>Ticket required</strong>: acts for the customer of <code>who-ticket</code>.`
        : html`<strong>Ticket optional</strong>: with one, the response shows what its customer follows, likes and has flagged.`
  const inQuery = html`<strong>Key in the query</strong>: as <code>who-apiKey</code> or <code>apiKey</code>; the header takes precedence.`
  return [ticket, ...(schemes.flat().includes('who-apiKey-query') ? [inQuery] : [])]
}

function responded(document: OpenApi, { isNegotiated }: ReferenceOperation, answers: readonly Response[]): Html {
  const [first] = answers as [Response]
  const statuses = answers.map(({ status }) => html`<code>${status}</code>`)
  if (Object.keys(first.content ?? {}).includes('text/event-stream')) {
    return html`<code>${first.status}</code> and a stream, <code>text/event-stream</code>`
  }
  if (first.content === undefined) return html`${joinHtml(statuses, ' or ')} and no body`
  if (!isNegotiated) return joinHtml(statuses, ' or ')
  const root = Object.keys((answerSchema(document, first).properties ?? {}) as object)[0] ?? ''
  const empty = answers.length > 1 ? html`, or <code>204</code> when the list is empty` : nothing
  return html`<code>${first.status}</code> and <code>${root}</code>${empty}`
}

/** A fault may have the status of success: the answer's schema comes first. */
function answerSchema(document: OpenApi, { content = {} }: Response): JsonSchema {
  const schema = (content['application/json'] ?? Object.values(content)[0])?.schema ?? {}
  const [first] = (schema.oneOf ?? [schema]) as [JsonSchema]
  return resolved(document, first)
}

// ---- Tables.

function parameterTable(document: OpenApi, { fields, body }: ReferenceOperation): Html {
  if (fields.length === 0) return body === undefined ? html`<p class="none">No parameters.</p>` : nothing
  const rows = fields.map(({ name, from, required, schema, description }) => [
    html`<code>${name}</code>`,
    html`${from}`,
    typeAndLimits(document, schema),
    required ? html`<strong>yes</strong>` : html`no`,
    defaultValue(schema),
    prose(capitalise(description)),
  ])
  return table('Parameters', ['Name', 'Where', 'Type', 'Required', 'Default', 'Meaning'], rows)
}

function bodyFields(document: OpenApi, { body }: ReferenceOperation): Html {
  if (body?.schema === undefined) return nothing
  const fields = schemaFields(document, body.schema)
  return fields.length > 0 ? sentFields(document, fields) : html`<p>${prose(String(body.schema.description))}</p>`
}

function eventTable(operation: ReferenceOperation): Html {
  const events = answersOf(operation).flatMap(({ content = {} }) =>
    Object.entries(content['text/event-stream']?.['x-events'] ?? {}),
  )
  if (events.length === 0) return nothing
  const rows = events.map(([type, meaning]) => [html`<code>${type}</code>`, html`${meaning}`])
  return table('Events', ['Type', 'Meaning'], rows)
}

function responseFields(document: OpenApi, operation: ReferenceOperation): Html[] {
  return answerGroups(operation).flatMap(({ statuses, first }) => {
    const fields = schemaFields(document, answerSchema(document, first))
    const caption = `Fields of response ${statuses}${operation.isNegotiated ? ', in JSON' : ''}`
    return fields.length === 0 ? [] : [answeredFields(document, caption, fields)]
  })
}
