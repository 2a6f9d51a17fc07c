/** Markup that needs no escaping. */
export type Html = { readonly markup: string }
type Content = string | number | Html | readonly Html[]

/** Escapes everything in the template that is not markup. Templates are written as XML, so that a test can parse them. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  const markup = strings.map((text, index) =>
    index === 0 ? text : renderContent(contents[index - 1] as Content) + text,
  )
  return { markup: markup.join('') }
}

export const nothing: Html = { markup: '' }

function renderContent(content: Content): string {
  if (typeof content === 'string') return escapeHtml(content)
  if (typeof content === 'number') return String(content)
  return 'markup' in content ? content.markup : content.map(({ markup }) => markup).join('')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}

export function joinHtml(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${between}${part}`))}`
}

/** Text in which `…` is code. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Columns that contain sentences. */
const PROSE_COLUMNS = new Set(['Meaning', 'Text', 'When'])

/** On a phone CSS stacks the cells of a wide table; the explicit roles keep it a table for screen readers. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly Html[])[],
  wide = columns.length > 4,
): Html {
  const head = columns.map((title) =>
    title === '' ? html`<td role="cell"></td>` : html`<th scope="col" role="columnheader">${title}</th>`,
  )
  const body = rows.map((cells) => {
    const row = cells.map((cell, index) => {
      const title = columns[index] ?? ''
      return html`<td role="cell" class="${PROSE_COLUMNS.has(title) ? 'words' : 'value'}" data-title="${title}">${cell}</td>`
    })
    return html`<tr role="row">${row}</tr>`
  })
  const named = caption === '' ? nothing : html`<caption>${caption}</caption>`
  return html`<table role="table" class="${wide ? 'wide' : 'narrow'}">${named}
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${body}</tbody></table>`
}
