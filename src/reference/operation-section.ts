import type { Operation } from '../http/operation.ts'
import type { Parameter } from '../http/parameters.ts'
import { describedFields, optionalNames } from '../http/representation/shape.ts'
import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from '../sandbox/world/customers.ts'
import { clientField, clientTarget, sampleClientCall } from './client-call.ts'
import { answerExample, parameterExample, type XmlAndJson } from './example.ts'
import { type Html, html, joinHtml, nothing, table } from './html.ts'
import {
  capitalise,
  codeBlock,
  defaultValue,
  factList,
  limits,
  methodBadge,
  pathCode,
  sample,
  sampleWithoutBody,
  tryField,
  tryIt,
} from './parts.ts'
import { parameterOf, type Refusal, refusals } from './refusals.ts'
import { buildRequest, curlLine, prettyJson, prettyXml, publicHeaders } from './shared.js'

/** Used in the samples until the reader enters credentials and the browser replaces the address. */
export const SAMPLE_ORIGIN = 'http://localhost:8080'
export const SAMPLE_CREDENTIALS = { key: SANDBOX_KEY, secret: SANDBOX_SECRET, ticket: SANDBOX_CUSTOMERS[0].ticket }

export type PageSettings = {
  /** Whether the service has the sandbox's data, with which the examples work: forms are then prefilled. */
  readonly sandbox: boolean
  /** The path of a picture of the service, to upload as an example. */
  readonly picture: string
}

export function operationSection(operation: Operation, id: string, settings: PageSettings): Html {
  const { name, summary, answer } = operation
  return html`<article id="${id}" class="operation" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${name}</a></h3>
<p class="endpoint">${methodBadge(operation)} ${pathCode(operation.path)}</p>
<p class="summary">${summary}.</p>
${facts(operation)}
${parameterTable(operation)}
${fieldTable(operation)}
${eventTable(operation)}
${requestSamples(operation, id, settings)}
<div class="samples">
${answerSample(operation, id)}
<div>${faultTable(operation)}</div>
</div>
${tryOperation(operation, id, settings)}
${answer.document === null ? nothing : schemaLink(name)}
</article>
`
}

function schemaLink(name: string): Html {
  return html`<p class="more"><a href="/schemas/${name}.xsd">XML schema of the response</a></p>`
}

const TICKET = {
  required: html`<strong>Ticket required</strong>: acts for the customer of <code>who-ticket</code>.`,
  optional: html`<strong>Ticket optional</strong>: with one, the response shows what its customer follows, likes and has flagged.`,
  none: html`<strong>No ticket</strong>: key and secret are enough.`,
  anyone: html`<strong>No credentials</strong>: anybody may call it, without a key.`,
}

/** Which credentials a request has. */
function callerOf({ credentials, ticket }: Operation): keyof typeof TICKET {
  return credentials === 'none' ? 'anyone' : ticket
}

function facts(operation: Operation): Html {
  const { answer, alsoAt = [], keyInQuery, body } = operation
  const none = answer.stream === undefined ? html`no body` : html`a stream, <code>text/event-stream</code>`
  const root = answer.document === null ? none : html`<code>${answer.document.root}</code>`
  const empty = answer.mayBeEmpty ? html`, or <code>204</code> when the list is empty` : nothing
  const lines = [
    TICKET[callerOf(operation)],
    html`<strong>Responds</strong> with <code>${answer.status}</code> and ${root}${empty}.`,
    ...optionalFields(answer.document),
    ...Object.entries(answer.headers ?? {}).map(
      ([name, meaning]) => html`<strong>Header</strong> <code>${name}</code>: ${meaning}.`,
    ),
    ...alsoAt.map((path) => html`<strong>Also at</strong> ${pathCode(path)}.`),
    ...(keyInQuery
      ? [
          html`<strong>Key in the query</strong>: as <code>who-apiKey</code> or <code>apiKey</code>; the header takes precedence.`,
        ]
      : []),
    ...(body === 'picture' ? [html`<strong>Body</strong>: the picture’s bytes, whatever their content type.`] : []),
  ]
  return factList(lines)
}

function optionalFields(answered: Operation['answer']['document']): Html[] {
  const names = answered === null ? [] : optionalNames(answered.node).map((name) => html`<code>${name}</code>`)
  return names.length === 0 ? [] : [html`<strong>Optional fields</strong>: ${joinHtml(names, ', ')}.`]
}

function parameterTable({ parameters, body }: Operation): Html {
  const rows = Object.entries(parameters).map(([name, parameter]) => [
    html`<code>${name}</code>`,
    html`${parameter.from}`,
    parameter.required ? html`<strong>yes</strong>` : html`no`,
    defaultValue(parameter.schema),
    allowedValues(parameter),
    html`${capitalise(parameter.meaning)}`,
  ])
  if (rows.length > 0) return table('Parameters', ['Name', 'Where', 'Required', 'Default', 'Allowed', 'Meaning'], rows)
  return body === undefined ? html`<p class="none">No parameters.</p>` : nothing
}

/** Of answers whose fields say more than their names. */
function fieldTable({ answer }: Operation): Html {
  const rows = answer.document === null ? [] : describedFields(answer.document.node)
  if (rows.length === 0) return nothing
  const cells = rows.map(({ name, meaning }) => [html`<code>${name}</code>`, html`${meaning}`])
  return table('Fields', ['Field', 'Meaning'], cells)
}

function eventTable({ answer }: Operation): Html {
  if (answer.stream === undefined) return nothing
  const rows = Object.entries(answer.stream.events).map(([type, meaning]) => [
    html`<code>${type}</code>`,
    html`${meaning}`,
  ])
  return table('Events', ['Type', 'Meaning'], rows)
}

function allowedValues({ schema }: Parameter): Html {
  const { pattern, type } = schema
  const limited = limits(schema)
  if (limited !== null) return limited
  if (pattern === '^[0-9]+$') return html`digits`
  if (pattern !== undefined) return html`<code>${String(pattern)}</code>`
  return html`${type === 'integer' ? 'whole number' : type === 'number' ? 'number' : 'text'}`
}

/** Side by side where there is room, else the chosen one. Without JavaScript the page shows both. */
function requestSamples(operation: Operation, id: string, settings: PageSettings): Html {
  const picture = operation.body === 'picture' ? settings.picture : ''
  const call = sampleClientCall(operation, SAMPLE_ORIGIN, picture)
  return html`<div class="requests">
<p class="languages" role="group" aria-label="Show requests in">
<button type="button" data-language="curl">curl</button>
<button type="button" data-language="typescript">TypeScript</button></p>
${sample(`${id}-curl`, 'Request with curl', sampleCurl(operation, settings), 'curl')}
<div class="as-typescript">${sample(`${id}-typescript`, 'Request in TypeScript', call, 'typescript')}
<p class="more"><a href="#client">Set up the client</a></p></div>
</div>`
}

function sampleCurl(operation: Operation, { picture }: PageSettings): string {
  const fields = Object.entries(operation.parameters).flatMap(([name, { from }]) => {
    const { value, shown } = parameterExample(operation, name)
    return shown ? [{ name, from, value }] : []
  })
  const headers = publicHeaders(SAMPLE_CREDENTIALS, callerOf(operation), 'application/xml')
  const request = buildRequest(operation, fields, headers)
  return curlLine(request, SAMPLE_ORIGIN, operation.body === 'picture' ? picture : '')
}

function answerSample(operation: Operation, id: string): Html {
  const { answer } = operation
  const title = `Response ${answer.status}`
  if (answer.stream !== undefined) return sample(`${id}-events`, title, answer.stream.example)
  const example = answerExample(operation)
  if (example !== null) return xmlAndJsonSample(`${title}, with every field`, example)
  return sampleWithoutBody(title)
}

/** Without JavaScript the page shows both. */
export function xmlAndJsonSample(title: string, { xml, json }: XmlAndJson): Html {
  return html`<figure class="sample">
<figcaption>${title} <span class="switch" role="group" aria-label="Show as">
<button type="button" data-as="xml">XML</button> <button type="button" data-as="json">JSON</button></span></figcaption>
${codeBlock('xml', `${title} in XML`, prettyXml(xml))}
${codeBlock('json', `${title} in JSON`, prettyJson(json))}
</figure>`
}

function faultTable(operation: Operation): Html {
  const own = refusals(operation).filter(({ shared }) => !shared)
  const shared = html`<a href="#shared-faults">the shared faults</a>`
  if (own.length === 0) return html`<p class="none">No faults besides ${shared}.</p>`
  const rows = own.map((refusal) => [
    html`<code>${refusal.status}</code>`,
    html`<code>${refusal.code}</code>`,
    faultNameCell(refusal.names),
    html`${refusal.text}`,
  ])
  return html`${table('Faults', ['HTTP', 'Code', 'faultName', 'Text'], rows)}
<p class="none">Also ${shared}.</p>`
}

export function faultNameCell(names: Refusal['names']): Html {
  if (names.length === 0) return html`<span class="quiet">absent</span>`
  const cells = names.map((name) => {
    if (name === '') return html`<span class="quiet">empty</span>`
    const parameter = parameterOf(name)
    if (parameter !== undefined) return html`the value of <code>${parameter}</code>`
    if (name.includes(' ')) return html`${name}`
    const parts = name.split('|').map((part, index) => (index === 0 ? html`${part}` : html`|<wbr/>${part}`))
    return html`<code>${parts}</code>`
  })
  return joinHtml(cells, ', ')
}

function tryOperation(operation: Operation, id: string, settings: PageSettings): Html {
  const { method, path, parameters, body, name } = operation
  const inputs = Object.keys(parameters).map((field) =>
    parameterField(operation, field, { id, filled: settings.sandbox }),
  )
  const picture = html`<p class="field"><label for="${id}-picture">Picture
<span class="quiet">body; the default picture if you choose none</span></label>
<input id="${id}-picture" type="file" name="picture" data-default="${settings.picture}"
accept="image/jpeg,image/png,image/gif"/></p>`
  const { result } = clientTarget(operation)
  const data = html`data-method="${method}" data-path="${path}" data-ticket="${callerOf(operation)}"
data-operation="${name}" data-result="${result}" data-typescript="${id}-typescript"`
  const fields = html`<div class="fields">${inputs}${body === 'picture' ? picture : nothing}</div>
<fieldset class="response-format"><legend>Format</legend>
<label><input type="radio" name="accept" value="xml" checked=""/> XML</label>
<label><input type="radio" name="accept" value="json"/> JSON</label></fieldset>`
  return tryIt({ id, name, data, fields })
}

const MASKED = new Set(['password', 'cv2'])

/** `id` is the section's, `filled` whether the field starts with its example. */
function parameterField(operation: Operation, name: string, { id, filled }: { id: string; filled: boolean }): Html {
  const { from, required, schema } = operation.parameters[name] as Parameter
  const { value: example, shown } = parameterExample(operation, name)
  return tryField({
    id: `${id}-${name}`,
    name,
    from,
    required,
    schema,
    example,
    shown,
    filled,
    masked: MASKED.has(name),
    client: clientField(operation, name),
  })
}
