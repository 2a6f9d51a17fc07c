// Renders the Markdown of our own documents: headings, paragraphs, lists, quotes, tables, code, links and pictures. No more: a test
// looks for what is left over in the pages.

import { type Html, html, nothing, table } from './html.ts'
import { sample } from './samples.ts'

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
  const page = { place, ids: new Map<string, number>(), headings: [], samples: 0 } satisfies Page
  const content = html`${blocks(text.split('\n'), page)}`
  const [{ title } = { title: '' }, ...headings] = page.headings as Rendered['headings']
  return { title, headings, content }
}

type Page = {
  readonly place: MarkdownPlace
  /** How often a heading has had the id. */
  readonly ids: Map<string, number>
  readonly headings: { id: string; title: string }[]
  samples: number
}

// ---- Blocks. Each reader takes the lines that belong to it from the front.

const FENCE = '```'
const ITEM = /^(?:-|\d+\.) /

function blocks(lines: string[], page: Page): Html[] {
  const found: Html[] = []
  while (lines.length > 0) {
    const line = lines[0] as string
    if (line.trim() === '' || line.startsWith('<!--')) lines.shift()
    else found.push(block(line, lines, page), html`${'\n'}`)
  }
  return found
}

function block(line: string, lines: string[], page: Page): Html {
  if (line.startsWith(FENCE)) return code(lines, page)
  if (line.startsWith('#')) return heading(lines.shift() as string, page)
  if (line.startsWith('|'))
    return markdownTable(
      takeWhile(lines, (one) => one.startsWith('|')),
      page,
    )
  if (line.startsWith('> ')) {
    const quoted = takeWhile(lines, (one) => one.startsWith('>')).map((one) => one.replace(/^> ?/, ''))
    return html`<blockquote>${blocks(quoted, page)}</blockquote>`
  }
  if (ITEM.test(line)) return list(lines, page)
  const paragraph = takeWhile(lines, (one, index) => index === 0 || !beginsBlock(one))
  return html`<p>${inline(paragraph.map((one) => one.trim()).join('\n'), page.place)}</p>`
}

function beginsBlock(line: string): boolean {
  return line.trim() === '' || ['#', '|', '>', FENCE, '<!--'].some((start) => line.startsWith(start)) || ITEM.test(line)
}

function takeWhile(lines: string[], belongs: (line: string, index: number) => boolean): string[] {
  const end = lines.findIndex((line, index) => !belongs(line, index))
  return lines.splice(0, end === -1 ? lines.length : end)
}

function heading(line: string, page: Page): Html {
  const level = line.indexOf(' ')
  const written = line.slice(level + 1)
  const title = written.replaceAll('`', '')
  const id = headingId(title, page)
  page.headings.push({ id, title })
  const content = inline(written, page.place)
  if (level === 1) return html`<h1>${content}</h1>`
  const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to “${title}”">#</a>`
  if (level === 2) return html`<h2 id="${id}">${content} ${anchor}</h2>`
  return html`<h3 id="${id}">${content} ${anchor}</h3>`
}

/** As GitHub names them, so that links work in both places. */
function headingId(title: string, { ids }: Page): string {
  const id = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  const before = ids.get(id) ?? 0
  ids.set(id, before + 1)
  return before === 0 ? id : `${id}-${before}`
}

function list(lines: string[], page: Page): Html {
  const isOrdered = /^\d/.test(lines[0] as string)
  const items: Html[] = []
  for (let marker = ITEM.exec(lines[0] as string); marker !== null; marker = ITEM.exec(nextLine(lines))) {
    while (lines[0]?.trim() === '') lines.shift()
    const [{ length: width }] = marker
    const first = (lines.shift() as string).slice(width)
    const rest = takeWhile(
      lines,
      (line, index) => belongsToItem(lines, index) || (line.trim() !== '' && !beginsBlock(line)),
    )
    const inside = [first, ...rest.map((line) => line.slice(Math.min(width, Math.max(line.search(/\S/), 0))))]
    items.push(html`<li>${itemContent(inside, page)}</li>`)
  }
  return isOrdered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
}

function nextLine(lines: readonly string[], from = 0): string {
  return lines.slice(from).find((line) => line.trim() !== '') ?? ''
}

/** Indented, or blank before something indented. */
function belongsToItem(lines: readonly string[], index: number): boolean {
  return nextLine(lines, index).startsWith('  ')
}

/** A sentence of an item is no paragraph. */
function itemContent(lines: string[], page: Page): Html[] {
  const sentence = takeWhile(lines, (line, index) => index === 0 || !beginsBlock(line))
  return [inline(sentence.map((line) => line.trim()).join('\n'), page.place), ...blocks(lines, page)]
}

function markdownTable(lines: readonly string[], page: Page): Html {
  const [head = [], , ...rows] = lines.map(cellsOf)
  const cells = rows.map((row) => row.map((cell) => inline(cell, page.place)))
  const titles = head.map((title) => title.replaceAll('`', ''))
  return table('', titles, cells, titles.length > 2)
}

function cellsOf(line: string): string[] {
  const cells = line.replaceAll('\\|', '\u0000').split('|').slice(1, -1)
  return cells.map((cell) => cell.replaceAll('\u0000', '|').trim())
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  js: 'JavaScript',
  sh: 'Commands',
  yaml: 'YAML',
  ini: 'Configuration',
  haproxy: 'HAProxy',
}

function code(lines: string[], page: Page): Html {
  const language = (lines.shift() as string).slice(FENCE.length)
  const text = takeWhile(lines, (line) => !line.startsWith(FENCE))
  lines.shift()
  if (language === 'mermaid') return transitions(text)
  const title = LANGUAGES[language] ?? (text.some((line) => line.startsWith('$ ')) ? 'Commands' : 'Text')
  return sample(`code-${++page.samples}`, title, text.join('\n'), language === 'ts' ? 'typescript' : undefined)
}

/** The steps of a diagram of states, which a page draws without a script. */
function transitions(lines: readonly string[]): Html {
  const steps = lines.map((line) => /^ *(\S+) --> (\S+?)(?:: (.*))?$/.exec(line)).filter((step) => step !== null)
  const rows = steps.map(([, from = '', to = '', event = '']) => [
    html`<code>${from}</code>`,
    html`<code>${to}</code>`,
    html`${event}`,
  ])
  return rows.length === 0 ? nothing : table('Changes of state', ['From', 'To', 'When'], rows)
}

// ---- What stands in a sentence.

/** What begins with such a character may be more than text; tried there alone, a search stays linear. */
const BEGINS = /[`![<*_]/g
const MARKED =
  /^(?:`([^`]+)`|!\[([^\]]+)\]\(([^)\s]+)\)|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)\s]+)\)|<(https?:[^>\s]+)>|\*\*([^*]+)\*\*|\*(?=\S)([^*\n]+)\*|_(?=\S)([^_]+)_(?!\w))/

/** Alternates text and what is marked in it, because a part of a sentence may have parts itself. */
function inline(text: string, place: MarkdownPlace): Html {
  for (const { index } of text.matchAll(BEGINS)) {
    const isInsideWord = text[index] === '_' && /\w$/.test(text.slice(0, index))
    const found = isInsideWord ? null : MARKED.exec(text.slice(index))
    if (found === null) continue
    return html`${text.slice(0, index)}${marked(found, place)}${inline(text.slice(index + found[0].length), place)}`
  }
  return html`${text}`
}

function marked(found: RegExpExecArray, place: MarkdownPlace): Html {
  const [all, codeText, alternative, picture, words, target, address, strong, emphasis, stressed] = found
  if (codeText !== undefined) return codeOf(codeText, place)
  if (picture !== undefined) return pictureOf(alternative as string, picture, place)
  if (words !== undefined) {
    const leads = place.address(target as string)
    const content = inline(words.endsWith('.md') ? (place.titleOf(target as string) ?? words) : words, place)
    return leads === undefined ? content : html`<a href="${leads}">${content}</a>`
  }
  if (address !== undefined) return html`<a href="${address}">${address}</a>`
  if (strong !== undefined) return html`<strong>${inline(strong, place)}</strong>`
  const quiet = emphasis ?? stressed
  return quiet === undefined ? html`${all}` : html`<em>${inline(quiet, place)}</em>`
}

function codeOf(text: string, { pageAbout }: MarkdownPlace): Html {
  const page = pageAbout(text)
  return page === undefined ? html`<code>${text}</code>` : html`<a href="${page}"><code>${text}</code></a>`
}

function pictureOf(alternative: string, target: string, { address }: MarkdownPlace): Html {
  const source = address(target)
  if (source === undefined) return html`${alternative}`
  return html`<a class="picture" href="${source}"><img src="${source}" alt="${alternative}" loading="lazy"/></a>`
}
