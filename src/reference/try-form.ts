// “Try it”: a form that sends a request. The script reads what it needs from the data attributes.

import type { ReferenceOperation, SentField } from './document.ts'
import { type Html, html, nothing } from './html.ts'
import { bodyText, clientField, credentialsOf, pictureOf } from './samples.ts'
import type { Site } from './site.ts'

export function tryForm(site: Site, operation: ReferenceOperation): Html {
  const { name, method, path, fields, isNegotiated } = operation
  const warning = warningOf(site, operation)
  const inputs = fields.map((field) => parameterField(site, operation, field))
  const headers = credentialsOf(site, operation).map(({ header }) => header)
  return html`<section class="try" aria-labelledby="try-title"><h2 id="try-title">Try it</h2>
<form id="try" data-operation="${name}" data-method="${method}" data-path="${path}" data-headers="${headers.join(' ')}"
data-result="${operation['x-client-result'] ?? ''}" data-confirm="${warning?.effect ?? ''}" autocomplete="off" novalidate="">
${warning === undefined ? nothing : html`<p class="warning"><strong>${warning.text}</strong> You confirm before the request is sent.</p>`}
<div class="fields">${inputs}</div>
${bodyField(site, operation)}
${isNegotiated ? FORMAT : nothing}
<p class="send"><button type="submit" class="primary">Send request</button>
<span class="sent-as quiet"></span>
${headers.length === 0 ? nothing : html`<button type="button" class="credentials">Change</button>`}</p>
<p class="outcome" role="status"></p>
<div class="result" hidden=""><details><summary>Response headers</summary>
<pre class="headers" tabindex="0" aria-label="Response headers"></pre></details>
<pre class="body" tabindex="0" aria-label="Response body"><code></code></pre></div>
</form></section>`
}

const LOCKS_OUT = {
  text: 'Locks the customer of the ticket out: nothing shortens it.',
  effect: 'It locks the customer of the ticket out. In the sandbox, only a new DATA_DIR brings the customer back.',
}
const MOVES_MONEY = {
  text: 'Moves money of the customer of the ticket.',
  effect: 'It moves money of the customer of the ticket.',
}

/** `effect` is in the confirmation before the request is sent. undefined: it is sent without confirmation. */
function warningOf(site: Site, operation: ReferenceOperation): { text: string; effect: string } | undefined {
  if (operation['x-locks-out']) return LOCKS_OUT
  if (operation['x-moves-money']) return MOVES_MONEY
  const isChange = operation.method !== 'GET' && operation.method !== 'HEAD'
  return isChange && site.confirmsChanges !== null ? { text: 'Changes data.', effect: site.confirmsChanges } : undefined
}

const FORMAT = html`<fieldset class="response-format"><legend>Format</legend>
<label><input type="radio" name="accept" value="xml" checked=""/> XML</label>
<label><input type="radio" name="accept" value="json"/> JSON</label></fieldset>`

function parameterField({ sandbox }: Site, operation: ReferenceOperation, field: SentField): Html {
  const { name, from, required, schema, example = '', typical } = field
  const id = `${operation.name}-${name}`
  const where = required ? `${from}, required` : from
  const label = html`<label for="${id}">${name} <span class="quiet">${where}</span></label>`
  const value = sandbox ? example : ''
  const { client, kind } = clientField(field)
  const shared = html`id="${id}" name="${name}" data-from="${from}" data-example="${example}" data-client="${client}"
data-kind="${kind}"`
  if (Array.isArray(schema.enum)) {
    const options = ['', ...schema.enum.filter((choice) => choice !== '').map(String)].map((choice) => {
      const selected = choice === value ? html` selected=""` : nothing
      return html`<option value="${choice}"${selected}>${choice === '' ? 'not sent' : choice}</option>`
    })
    return html`<p class="field">${label}<select ${shared}>${options}</select></p>`
  }
  return html`<p class="field">${label}
<input ${shared} type="${schema.format === 'password' ? 'password' : 'text'}" inputmode="${kind === 'number' ? 'numeric' : 'text'}"
value="${value}" placeholder="${typical}" autocomplete="off" spellcheck="false"/></p>`
}

function bodyField({ sandbox }: Site, operation: ReferenceOperation): Html {
  const { name, body } = operation
  if (body === undefined) return nothing
  const picture = pictureOf(operation)
  if (picture !== '') {
    return html`<p class="field"><label for="${name}-picture">Picture
<span class="quiet">body; the default picture if you choose none</span></label>
<input id="${name}-picture" type="file" name="picture" data-default="${picture}"
accept="image/jpeg,image/png,image/gif"/></p>`
  }
  const text = bodyText(body)
  const rows = Math.min(24, text.split('\n').length + 1)
  return html`<p class="field text-field"><label for="${name}-body">Body <span class="quiet">${body.mediaType}</span></label>
<textarea id="${name}-body" name="${body.mediaType}" data-from="body" data-example="${text}" rows="${rows}"
spellcheck="false" autocomplete="off" placeholder="${text}">
${sandbox ? text : ''}</textarea></p>
<p class="send"><button type="button" class="use-example" data-fills="${name}-body">Use the example</button></p>`
}
