// One operation in the operator's reference.

import { type Html, html, joinHtml, nothing, table } from '../../reference/html.ts'
import {
  codeBlock,
  factList,
  methodBadge,
  pathCode,
  prose,
  sample,
  sampleWithoutBody,
  tryField,
  tryIt,
} from '../../reference/parts.ts'
import { answeredFields, SENT_COLUMNS, schemaFields, sentCells, sentFields } from '../../reference/schema-fields.ts'
import { buildRequest, curlLine, type FieldValue, TOKEN_VARIABLE } from '../../reference/shared.js'
import type { DescribedAnswer, DescribedBody, DescribedOperation, DescribedParameter } from './description.ts'
import { PATTERN_TYPES } from './fields.ts'
import { problem } from './problem-schema.ts'

/** Used in the samples until the browser replaces the address. */
export const SAMPLE_ORIGIN = 'http://localhost:8081'
const BASE = '/operator/v1'

/** `sandbox`: the fields of “Try it” start with the example. */
export function operationSection(operation: DescribedOperation, sandbox: boolean): Html {
  const { name, method, path, summary, description } = operation
  return html`<article id="${name}" class="operation" aria-labelledby="${name}-title">
<h3 id="${name}-title"><a href="#${name}">${name}</a></h3>
<p class="endpoint">${methodBadge({ method })} ${pathCode(BASE + path)}</p>
<p class="summary">${summary}. ${prose(description)}</p>
${facts(operation)}
${parameterTable(operation)}
${bodyFields(operation)}
<div class="samples">
${sample(`${name}-curl`, 'Request', sampleCurl(operation))}
<div>${answersBySchema(operation).map(answerSample)}</div>
<div>${problemTable(operation)}</div>
</div>
${answersBySchema(operation).map(answerFields)}
${ownProblemFields(operation)}
${tryOperation(operation, sandbox)}
</article>
`
}

function facts(operation: DescribedOperation): Html {
  const { roles, answers, personalData, method, body, background, sendsEvents, sendsCsv } = operation
  const named = joinHtml(
    roles.map((role) => html`<code>${role}</code>`),
    ', ',
  )
  const statuses = joinHtml(
    answers.map(({ status }) => html`<code>${status}</code>`),
    ' or ',
  )
  return factList([
    html`<strong>Roles</strong>: ${named} (<a href="#roles">what each may do</a>).`,
    html`<strong>Responds</strong> with ${statuses}${answers.some(({ schema }) => schema !== null) ? nothing : html` and no body`}.`,
    ...(sendsEvents
      ? [html`<strong>Events</strong>: <code>text/event-stream</code>. Below is the data of each type of event.`]
      : []),
    ...(sendsCsv ? [html`<strong>File</strong>: <code>text/csv</code>. Below are its columns.`] : []),
    ...(body === null ? [] : [html`<strong>Body</strong>: <code>${body.mediaType}</code>${bodyNeed(body)}.`]),
    ...(personalData ? [html`<strong>Personal data</strong>: each read is in the audit trail.`] : []),
    ...(method === 'GET' || background
      ? []
      : [html`<strong>Changes data</strong>: the audit trail records it, also when it is refused.`]),
  ])
}

function bodyNeed({ required }: DescribedBody): string {
  return required ? ', required' : ', may be left out'
}

function parameterTable({ parameters, body }: DescribedOperation): Html {
  if (parameters.length === 0) return body === null ? html`<p class="none">No parameters.</p>` : nothing
  const rows = parameters.map(({ name, in: place, schema }) => [
    html`<code>${name}</code>`,
    html`${place}`,
    ...sentCells(schema, place === 'path', PATTERN_TYPES),
  ])
  return table('Parameters', ['Name', 'Where', ...SENT_COLUMNS], rows)
}

function bodyFields({ body }: DescribedOperation): Html {
  if (body === null) return nothing
  const fields = schemaFields(body.schema)
  if (fields.length > 0) return sentFields(fields, PATTERN_TYPES)
  return html`<p>${prose(String(body.schema.description))}</p>`
}

// ---- The request and its answers.

/** What the example sends, as the fields of a form. */
function sentValues({ parameters, body }: DescribedOperation): FieldValue[] {
  return [
    ...parameters.map(({ name, in: from, example }) => ({ name, from, value: `${example ?? ''}` })),
    ...(body === null ? [] : [{ name: body.mediaType, from: 'body', value: bodyText(body) }]),
  ]
}

function bodyText({ example }: DescribedBody): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2)
}

export function sampleCurl(operation: DescribedOperation): string {
  const target = { method: operation.method, path: BASE + operation.path }
  const request = buildRequest(target, sentValues(operation), [['authorization', TOKEN_VARIABLE]])
  return curlLine(request, SAMPLE_ORIGIN, '')
}

/** Answers with the same body are shown once: a PUT that creates (201) answers like one that changes (200). */
function answersBySchema({ answers }: DescribedOperation): [DescribedAnswer, ...DescribedAnswer[]][] {
  return [...Map.groupBy(answers, ({ schema }) => schema).values()] as [DescribedAnswer, ...DescribedAnswer[]][]
}

function titleOf(answers: readonly DescribedAnswer[]): string {
  if (answers.length === 1) return `Response ${answers[0]?.status}`
  return `Response ${answers.map(({ status, description }) => `${status} (${description.toLowerCase()})`).join(' or ')}`
}

function answerSample(answers: [DescribedAnswer, ...DescribedAnswer[]]): Html {
  const [{ schema, example }] = answers
  const title = titleOf(answers)
  if (schema === null) return sampleWithoutBody(title)
  return html`<figure class="sample"><figcaption>${title}</figcaption>
${codeBlock('json', title, typeof example === 'string' ? example : JSON.stringify(example, null, 2))}
</figure>`
}

function answerFields(answers: [DescribedAnswer, ...DescribedAnswer[]]): Html {
  const [{ schema }] = answers
  if (schema === null) return nothing
  const fields = schemaFields(schema)
  return answeredFields(`Fields of response ${statusesOf(answers)} (${fields.length})`, fields, PATTERN_TYPES)
}

function statusesOf(answers: readonly { readonly status: number }[]): string {
  return answers.map(({ status }) => status).join(' or ')
}

// ---- Problems.

function problemTable({ problems }: DescribedOperation): Html {
  const own = problems.filter(({ isShared }) => !isShared)
  const shared = problems.filter(({ isShared }) => isShared).map(({ status }) => html`<code>${status}</code>`)
  const others = html`<a href="#shared-problems">shared problems</a> ${joinHtml(shared, ', ')}`
  if (own.length === 0) return html`<p class="none">No problems besides the ${others}.</p>`
  const rows = own.map(({ status, when }) => [html`<code>${status}</code>`, prose(when)])
  return html`${table('Problems', ['Status', 'When'], rows)}
<p class="none">Also the ${others}.</p>`
}

/** Of problems that have more fields than all have. */
function ownProblemFields({ problems }: DescribedOperation): Html[] {
  const common = schemaFields(problem).map(({ name }) => name)
  return problems.flatMap(({ status, schema }) => {
    const fields = schemaFields(schema).filter(({ name }) => !common.includes(name))
    return fields.length === 0 ? [] : [answeredFields(`Further fields of problem ${status}`, fields, PATTERN_TYPES)]
  })
}

// ---- “Try it”.

function tryOperation(operation: DescribedOperation, sandbox: boolean): Html {
  const { name, method, path, parameters, body } = operation
  const inputs = parameters.map((parameter) => parameterField(name, parameter, sandbox))
  const warning = html`<p class="warning"><strong>Changes data.</strong> You are asked before the request is sent.</p>`
  return tryIt({
    id: name,
    name,
    data: html`data-method="${method}" data-path="${BASE + path}"`,
    fields: html`${method === 'GET' ? nothing : warning}
${inputs.length === 0 ? nothing : html`<div class="fields">${inputs}</div>`}
${body === null ? nothing : bodyField(name, body, sandbox)}`,
  })
}

function parameterField(id: string, { name, in: from, schema, example }: DescribedParameter, filled: boolean): Html {
  return tryField({
    id: `${id}-${name}`,
    name,
    from,
    required: from === 'path',
    schema,
    example: `${example ?? ''}`,
    shown: example !== undefined,
    filled,
    masked: false,
  })
}

function bodyField(id: string, body: DescribedBody, filled: boolean): Html {
  const text = bodyText(body)
  const rows = Math.min(24, text.split('\n').length + 1)
  return html`<p class="field text-field"><label for="${id}-body">Body <span class="quiet">${body.mediaType}</span></label>
<textarea id="${id}-body" name="${body.mediaType}" data-from="body" data-example="${text}" rows="${rows}"
spellcheck="false" autocomplete="off" placeholder="${text}">
${filled ? text : ''}</textarea></p>
<p class="send"><button type="button" class="use-example" data-fills="${id}-body">Use the example</button></p>`
}
