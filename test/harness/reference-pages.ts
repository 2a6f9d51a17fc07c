// The pages of a reference as texts, and what a test wants to know of their markup.

import { SaxesParser } from 'saxes'
import type { Document } from '../../src/http/answers/documents.ts'

/** The text of each document of the reference and of the guides. */
export function textsOf(documents: readonly Document[]): Map<string, string> {
  const wanted = documents.filter(({ path }) => /^\/(docs|guides|llms)/.test(path))
  return new Map(wanted.map(({ path, type, body }) => [path, type === 'image/png' ? '' : String(body())]))
}

/** Which of the addresses that a page names are served nowhere. Guides lead to other sites too. */
export function deadLinks(path: string, text: string, isServed: (target: string) => boolean): string[] {
  const linked = [...text.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, target]) => target as string)
  const own = path.startsWith('/guides') ? linked.filter((target) => !/^https?:/.test(target)) : linked
  return own.filter((target) => !isServed(target))
}

export type Markup = {
  readonly elements: number
  readonly ids: string[]
  /** Ids of the same page that something names. */
  readonly names: string[]
  /** Ids of other pages that a link names. */
  readonly anchors: { readonly path: string; readonly id: string }[]
  readonly fields: string[]
  readonly labelled: string[]
}

/** A page is XML too, so that a text that was not escaped is a parse error, which is thrown. */
export function markupOf(text: string): Markup {
  const markup: Markup & { elements: number } = {
    elements: 0,
    ids: [],
    names: [],
    anchors: [],
    fields: [],
    labelled: [],
  }
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name: tag, attributes }) => {
    markup.elements++
    const { id, href = '', for: field, type, ...others } = attributes as Record<string, string>
    if (id !== undefined) markup.ids.push(id)
    if (href.startsWith('#')) markup.names.push(href.slice(1))
    const [path, anchor] = href.split('#')
    if (path && anchor) markup.anchors.push({ path, id: anchor })
    if (['input', 'select', 'textarea'].includes(tag) && type !== 'radio') markup.fields.push(`${id}`)
    if (field !== undefined) markup.labelled.push(field)
    for (const key of ['aria-labelledby', 'aria-controls', 'data-copies', 'data-fills']) {
      if (others[key] !== undefined) markup.names.push(others[key])
    }
  })
  parser.write(text).close()
  return markup
}
