// Parts of a reference page that the public and the operator API share.

import { type Html, html, joinHtml, nothing } from './html.ts'

export function methodBadge({ method }: { readonly method: string }): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

export function pathCode(path: string): Html {
  const parts = path.split(/(\{\w+\})/)
  const marked = parts.map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : html`${part}`))
  return html`<code>${marked}</code>`
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function factList(lines: readonly Html[]): Html {
  return html`<ul class="facts">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

/** Text in which `…` is code. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}

export function sample(id: string, title: string, text: string, language?: 'curl' | 'typescript'): Html {
  const classes = language === undefined ? 'sample' : `sample as-${language}`
  const code =
    language === 'typescript' ? html`<code data-language="${language}">${text}</code>` : html`<code>${text}</code>`
  return html`<figure class="${classes}">
<figcaption>${title} <button type="button" class="copy" data-copies="${id}">Copy</button></figcaption>
<pre id="${id}" tabindex="0" aria-label="${title}">${code}</pre>
</figure>`
}

export function sampleWithoutBody(title: string): Html {
  return html`<figure class="sample"><figcaption>${title}</figcaption><p class="no-body">No body.</p></figure>`
}

export function codeBlock(language: 'xml' | 'json', label: string, text: string): Html {
  const code = html`<code data-language="${language}">${text}</code>`
  return html`<pre class="as-${language}" tabindex="0" aria-label="${label}">${code}</pre>`
}

// ---- JSON schemas in words.

export type JsonSchema = { readonly [keyword: string]: unknown }

export function defaultValue({ default: value }: JsonSchema): Html {
  if (value === undefined) return html`<span class="quiet">none</span>`
  return html`<code>${typeof value === 'string' ? value || '""' : JSON.stringify(value)}</code>`
}

/** Choices, range, length or number; null where the schema limits none of them. */
export function limits(schema: JsonSchema): Html | null {
  const { enum: choices, minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema
  if (Array.isArray(choices)) {
    return joinHtml(
      choices.map((choice) => (choice === '' ? html`blank` : html`<code>${String(choice)}</code>`)),
      ', ',
    )
  }
  if (maximum !== undefined) return html`${String(minimum)} to ${String(maximum)}`
  if (minimum !== undefined) return html`from ${String(minimum)}`
  if (maxLength !== undefined) return html`${String(minLength)} to ${String(maxLength)} characters`
  if (maxItems !== undefined) return html`${String(minItems)} to ${String(maxItems)} items`
  return null
}

// ---- “Try it”.

type TryIt = {
  /** Of the section, which the ids of the fields begin with. */
  readonly id: string
  readonly name: string
  /** What the script needs to build the request. */
  readonly data: Html
  readonly fields: Html
}

export function tryIt({ id, name, data, fields }: TryIt): Html {
  return html`<details class="try"><summary>Try it<span class="hidden-text">: ${name}</span></summary>
<form ${data} data-curl="${id}-curl"
autocomplete="off" novalidate="">
${fields}
<p class="send"><button type="submit" class="primary">Send request</button>
<span class="sent-as quiet"></span></p>
<p class="outcome" role="status"></p>
<div class="result" hidden=""><details><summary>Response headers</summary>
<pre class="headers" tabindex="0" aria-label="Response headers"></pre></details>
<pre class="body" tabindex="0" aria-label="Response body"><code></code></pre></div>
</form></details>`
}

type TryField = {
  readonly id: string
  readonly name: string
  readonly from: string
  readonly required: boolean
  readonly schema: JsonSchema
  readonly example: string
  /** Whether the sample request contains it. */
  readonly shown: boolean
  /** Whether the field starts with its example. */
  readonly filled: boolean
  readonly masked: boolean
  /** How the TypeScript client names it and writes its value. */
  readonly client?: { readonly client: string; readonly kind: string }
}

export function tryField(field: TryField): Html {
  const { id, name, from, required, schema, example, shown, filled, masked, client } = field
  const where = required ? `${from}, required` : from
  const label = html`<label for="${id}">${name} <span class="quiet">${where}</span></label>`
  const value = filled && shown ? example : ''
  const called = client === undefined ? nothing : html` data-client="${client.client}" data-kind="${client.kind}"`
  const shared = html`id="${id}" name="${name}" data-from="${from}" data-example="${shown ? example : ''}"${called}`
  if (Array.isArray(schema.enum)) {
    const options = ['', ...schema.enum.filter((choice) => choice !== '').map(String)].map((choice) => {
      const selected = choice === value ? html` selected=""` : nothing
      return html`<option value="${choice}"${selected}>${choice === '' ? 'not sent' : choice}</option>`
    })
    return html`<p class="field">${label}<select ${shared}>${options}</select></p>`
  }
  const numeric = schema.type === 'integer' || schema.pattern === '^[0-9]+$'
  return html`<p class="field">${label}
<input ${shared} type="${masked ? 'password' : 'text'}" inputmode="${numeric ? 'numeric' : 'text'}"
value="${value}" placeholder="${example}" autocomplete="off" spellcheck="false"/></p>`
}
