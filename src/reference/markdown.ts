// Renders our own documents with marked. Links, pictures and code in sentences lead where the place of a document says; HTML in a
// document is text.

import { createRequire } from 'node:module'
import type { RendererObject } from 'marked'
import { once } from '../platform/runtime/once.ts'
import { type Html, html, nothing, table } from './html.ts'
import { sample } from './samples.ts'

/** Loaded with the first document. */
const library = once(() => createRequire(import.meta.url)('marked') as typeof import('marked'))

/** What only the place of a document knows. */
export type MarkdownPlace = {
  /** Where a link leads, and a picture is; undefined: it is not served. */
  readonly address: (target: string) => string | undefined
  /** What a link that shows the name of a file shows instead. */
  readonly titleOf: (target: string) => string | undefined
  /** The page about what code in a sentence names, such as an operation. */
  readonly pageAbout: (code: string) => string | undefined
}

export type Rendered = {
  readonly title: string
  readonly headings: readonly { readonly id: string; readonly title: string }[]
  readonly content: Html
}

export function renderMarkdown(text: string, place: MarkdownPlace): Rendered {
  const { Marked } = library()
  const found: { id: string; title: string }[] = []
  const marked = new Marked({
    renderer: { ...blocks(found), ...inSentences(place) },
    // Addresses without brackets are no links.
    tokenizer: { url: () => undefined },
  })
  const markup = marked.parse(text, { async: false })
  const [{ title } = { title: '' }, ...headings] = found
  return { title, headings, content: { markup } }
}

function blocks(headings: { id: string; title: string }[]): RendererObject {
  /** How often a heading has had the id. */
  const ids = new Map<string, number>()
  let samples = 0
  return {
    heading({ depth, text, tokens }) {
      const title = text.replaceAll('`', '')
      const id = headingId(title, ids)
      headings.push({ id, title })
      const content = { markup: this.parser.parseInline(tokens) }
      if (depth === 1) return html`<h1>${content}</h1>\n`.markup
      const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to “${title}”">#</a>`
      const heading = html`<h2 id="${id}">${content} ${anchor}</h2>\n`
      return depth === 2 ? heading.markup : html`<h3 id="${id}">${content} ${anchor}</h3>\n`.markup
    },
    code({ text, lang = '' }) {
      if (lang === 'mermaid') return transitions(text).markup
      const title = LANGUAGES[lang] ?? (/^\$ /m.test(text) ? 'Commands' : 'Text')
      return sample(`code-${++samples}`, title, text, lang === 'ts' ? 'typescript' : undefined).markup
    },
    table({ header, rows }) {
      const titles = header.map(({ text }) => text.replaceAll('`', ''))
      const cells = rows.map((row) => row.map(({ tokens }) => ({ markup: this.parser.parseInline(tokens) })))
      return table('', titles, cells, titles.length > 2).markup
    },
    /** Its first sentence is no paragraph. */
    listitem({ tokens }) {
      const [first, ...others] = tokens
      if (first?.type !== 'text' && first?.type !== 'paragraph') return `<li>${this.parser.parse(tokens)}</li>`
      return `<li>${this.parser.parseInline(first.tokens ?? [])}${this.parser.parse(others)}</li>`
    },
    html: ({ text }) => (text.startsWith('<!--') ? '' : html`${text}`.markup),
  }
}

function inSentences({ address, titleOf, pageAbout }: MarkdownPlace): RendererObject {
  return {
    codespan({ text }) {
      const page = pageAbout(text)
      return (page === undefined ? html`<code>${text}</code>` : html`<a href="${page}"><code>${text}</code></a>`).markup
    },
    link({ href, text, tokens }) {
      const leads = address(href)
      const title = text.endsWith('.md') ? titleOf(href) : undefined
      const content = title === undefined ? { markup: this.parser.parseInline(tokens) } : html`${title}`
      return (leads === undefined ? content : html`<a href="${leads}">${content}</a>`).markup
    },
    image({ href, text }) {
      const source = address(href)
      if (source === undefined) return html`${text}`.markup
      return html`<a class="picture" href="${source}"><img src="${source}" alt="${text}" loading="lazy"/></a>`.markup
    },
  }
}

/** As GitHub names them, so that links work in both places. */
function headingId(title: string, ids: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  const before = ids.get(id) ?? 0
  ids.set(id, before + 1)
  return before === 0 ? id : `${id}-${before}`
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  js: 'JavaScript',
  sh: 'Commands',
  yaml: 'YAML',
  ini: 'Configuration',
  haproxy: 'HAProxy',
}

/** The steps of a diagram of states, which a page draws without a script. */
function transitions(text: string): Html {
  const steps = text.split('\n').map((line) => /^ *(\S+) --> (\S+?)(?:: (.*))?$/.exec(line))
  const rows = steps
    .filter((step) => step !== null)
    .map(([, from = '', to = '', event = '']) => [html`<code>${from}</code>`, html`<code>${to}</code>`, html`${event}`])
  return rows.length === 0 ? nothing : table('Changes of state', ['From', 'To', 'When'], rows)
}
