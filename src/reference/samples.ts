// Samples of requests and answers.

import { buildRequest, clientCall, curlLine, type Headers, prettyJson, prettyXml } from '../../web/reference/request.js'
import { clientName, kindOf } from './client-parameters.ts'
import { answersOf, type ReferenceOperation, type Response } from './document.ts'
import { type Html, html } from './html.ts'
import type { Site } from './site.ts'

export function sample(id: string, title: string, text: string, language?: string): Html {
  const code =
    language === undefined ? html`<code>${text}</code>` : html`<code data-language="${language}">${text}</code>`
  return html`<figure class="sample">
<figcaption>${title} <button type="button" class="copy" data-copies="${id}">Copy</button></figcaption>
<pre id="${id}" tabindex="0" aria-label="${title}">${code}</pre>
</figure>`
}

function codeBlock(language: 'xml' | 'json' | 'text', label: string, text: string): Html {
  const code = html`<code data-language="${language}">${text}</code>`
  return html`<pre class="as-${language}" tabindex="0" aria-label="${label}">${code}</pre>`
}

/** Without JavaScript the page shows both. */
export function xmlAndJsonSample(title: string, xml: string, json: unknown): Html {
  return html`<figure class="sample">
<figcaption>${title} <span class="switch" role="group" aria-label="Show as">
<button type="button" data-as="xml">XML</button> <button type="button" data-as="json">JSON</button></span></figcaption>
${codeBlock('xml', `${title} in XML`, prettyXml(xml))}
${codeBlock('json', `${title} in JSON`, prettyJson(JSON.stringify(json)))}
</figure>`
}

export function plainSample(title: string, example: unknown): Html {
  const isText = typeof example === 'string'
  const block = codeBlock(isText ? 'text' : 'json', title, isText ? example : JSON.stringify(example, null, 2))
  return html`<figure class="sample"><figcaption>${title}</figcaption>
${block}
</figure>`
}

// ---- Requests.

/** Side by side where there is room, else the chosen one. Without JavaScript the page shows both. */
export function requestSamples(site: Site, operation: ReferenceOperation): Html {
  const { name, 'x-client-result': result } = operation
  const curl = sampleCurl(site, operation)
  if (result === undefined) return sample(`${name}-curl`, 'Request', curl)
  const fields = operation.fields.map((field) => ({ ...clientField(field), value: field.example ?? '' }))
  const call = clientCall({ operation: name, result }, fields, site.origin, pictureOf(operation))
  return html`<div class="requests">
<p class="languages" role="group" aria-label="Show requests in">
<button type="button" data-language="curl">curl</button>
<button type="button" data-language="typescript">TypeScript</button></p>
<div class="as-curl">${sample(`${name}-curl`, 'Request with curl', curl)}</div>
<div class="as-typescript">${sample(`${name}-typescript`, 'Request in TypeScript', call, 'typescript')}
<p class="more"><a href="/docs/client">Set up the client</a></p></div>
</div>`
}

export function clientField({ name, schema }: Pick<ReferenceOperation['fields'][number], 'name' | 'schema'>) {
  return { client: clientName(name), kind: kindOf(schema) }
}

export function sampleCurl(site: Site, operation: ReferenceOperation): string {
  const fields = operation.fields.map(({ name, from, example = '' }) => ({ name, from, value: example }))
  const { body } = operation
  const picture = pictureOf(operation)
  const whole =
    body === undefined || picture !== '' ? [] : [{ name: body.mediaType, from: 'body', value: bodyText(body) }]
  const request = buildRequest(operation, [...fields, ...whole], sampleHeaders(site, operation))
  return curlLine(request, site.origin, picture)
}

function sampleHeaders(site: Site, operation: ReferenceOperation): Headers {
  const own = credentialsOf(site, operation).map(({ header, sample }) => [header, sample] as const)
  return operation.isNegotiated ? [['accept', 'application/xml'], ...own] : own
}

/** The credentials that the operation reads, whether it needs them or not. */
export function credentialsOf({ credentials }: Site, { security }: ReferenceOperation): Site['credentials'] {
  return credentials.filter(({ scheme }) => security.some((one) => scheme in one))
}

/** The path of a picture of the service that the sample sends, or ''. */
export function pictureOf({ body }: ReferenceOperation): string {
  return body?.['x-example-path'] ?? ''
}

export function bodyText({ example }: NonNullable<ReferenceOperation['body']>): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2)
}

// ---- Answers.

/** Answers with the same body are shown once: a PUT that creates (201) answers like one that changes (200). */
export function answerGroups(operation: ReferenceOperation): { title: string; statuses: string; first: Response }[] {
  const answers = answersOf(operation).filter(({ status, content }, _, all) => {
    return content !== undefined || status !== 204 || all.length === 1
  })
  const schemaOf = ({ content = {} }: Response) => JSON.stringify(Object.values(content)[0]?.schema)
  return [...Map.groupBy(answers, schemaOf).values()].map((group) => {
    const described = group.map(({ status, description }) => `${status} (${description.toLowerCase()})`)
    return {
      title: `Response ${group.length === 1 ? group[0]?.status : described.join(' or ')}`,
      statuses: group.map(({ status }) => status).join(' or '),
      first: group[0] as Response,
    }
  })
}

export function answerSamples(operation: ReferenceOperation): Html[] {
  return answerGroups(operation).map(({ title, first: { content = {} } }) => {
    const xml = content['application/xml']?.examples?.answer?.value
    const json = content['application/json']?.examples?.answer?.value
    if (typeof xml === 'string') return xmlAndJsonSample(`${title}, with every field`, xml, json)
    const [other] = Object.values(content).filter((one) => one.example !== undefined)
    if (other !== undefined) return plainSample(title, other.example)
    return html`<figure class="sample"><figcaption>${title}</figcaption><p class="no-body">No body.</p></figure>`
  })
}
