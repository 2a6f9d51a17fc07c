// The pages of the documents, and their list for programs (/llms.txt).

import type { Document } from '../http/answers/documents.ts'
import { once } from '../platform/runtime/once.ts'
import type { ReferenceOperation } from './document.ts'
import {
  guideSource,
  guidesAbout,
  type HandbookGuide,
  handbookGuides,
  handbookImages,
  renderGuide,
  repositoryAddress,
} from './handbook.ts'
import { capitalise, type Html, html, joinHtml, nothing, prose } from './html.ts'
import type { Rendered } from './markdown.ts'
import type { Site } from './site.ts'

export const GUIDES_TITLE = 'Paddock guides'

/** Each is rendered once, for its page and for the search. */
export function renderedGuides(operations: () => readonly ReferenceOperation[]): (guide: HandbookGuide) => Rendered {
  const rendered = new Map<HandbookGuide, () => Rendered>(
    handbookGuides().map((guide) => [guide, once(() => renderGuide(guide, operations()))]),
  )
  return (guide) => (rendered.get(guide) as () => Rendered)()
}

export function handbookGroups(): [group: string, guides: HandbookGuide[]][] {
  return [...Map.groupBy(handbookGuides(), ({ group }) => group)]
}

/** In lists: “Deposits” of “Deposits: how money moves, and what operators do”. */
export function shortTitle({ title }: HandbookGuide): string {
  return title.replace(/: .*/, '')
}

export function handbookIndex(): Html {
  const groups = handbookGroups().map(([group, guides], index) => {
    const links = guides.map(({ id, title, summary }) => {
      return html`<li><a href="/guides/${id}">${title}</a> <span class="quiet">${prose(`${capitalise(summary)}.`)}</span></li>`
    })
    return html`<section aria-labelledby="group-${index}"><h2 id="group-${index}">${group}</h2>
<ul class="index">${links}</ul></section>`
  })
  return html`<h1>${GUIDES_TITLE}</h1>
<p class="lead">What to do, and why it is so. Every operation, with its fields: <a href="/docs">the reference</a>.</p>
${groups}`
}

export function handbookPage(guide: HandbookGuide, { headings, content }: Rendered): Html {
  const all = handbookGuides()
  const at = all.indexOf(guide)
  const parts = headings.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  const edit = repositoryAddress(guide.file)
  const [title = '', ...rest] = content.markup.split(/(?<=<\/h1>)/)
  return html`<article class="guide">
${{ markup: title }}
${parts.length < 3 ? nothing : html`<details class="parts"><summary>On this page</summary><ul>${parts}</ul></details>`}
${{ markup: rest.join('') }}
</article>
<nav class="neighbours" aria-label="Other guides">${neighbour(all[at - 1], 'Previous')}${neighbour(all[at + 1], 'Next')}</nav>
${edit === undefined ? nothing : html`<p class="more"><a href="${edit}">Edit this page</a></p>`}`
}

function neighbour(guide: HandbookGuide | undefined, which: string): Html {
  if (guide === undefined) return nothing
  return html`<a class="${which.toLowerCase()}" href="/guides/${guide.id}"><span class="quiet">${which}</span> ${shortTitle(guide)}</a>`
}

/** The guides that explain an operation. */
export function explainedBy(operation: ReferenceOperation): Html[] {
  const links = guidesAbout(operation).map((one) => html`<a href="/guides/${one.id}">${shortTitle(one)}</a>`)
  return links.length === 0 ? [] : [html`<strong>Explained in</strong>: ${joinHtml(links, ' · ')}.`]
}

/** What is no page: pictures, the texts themselves, and the list of them. */
export function handbookFiles(site: () => Site): Document[] {
  return [
    ...handbookImages().map(({ path, bytes }) => ({ path, type: 'image/png', body: bytes })),
    ...handbookGuides().map((guide) => ({
      path: `/guides/${guide.id}.md`,
      type: 'text/markdown; charset=utf-8',
      body: () => guideSource(guide),
    })),
    { path: '/llms.txt', type: 'text/plain; charset=utf-8', body: () => llmsText(site()) },
  ]
}

/** As https://llmstxt.org has it. */
function llmsText({ document: { info }, downloads, origin }: Site): string {
  const groups = handbookGroups().map(([group, guides]) => {
    const lines = guides.map(({ id, title, summary }) => `- [${title}](${origin}/guides/${id}.md): ${summary}`)
    return `## ${group}\n\n${lines.join('\n')}`
  })
  const tools = Object.entries({ Reference: '/docs', ...downloads }).map(([name, at]) => `- [${name}](${origin}${at})`)
  return `# ${info.title}\n\n> ${info.summary}.\n\n${groups.join('\n\n')}\n\n## Reference\n\n${tools.join('\n')}\n`
}
