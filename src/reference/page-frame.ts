// What surrounds the sections of a reference page: head, bar, and the sidebar with its filter. The page can be read without
// JavaScript; its script adds filtering and “Try it”.

import packageFile from '../../package.json' with { type: 'json' }
import { type Html, html, joinHtml } from './html.ts'
import { methodBadge } from './parts.ts'

export type PageFrame = {
  readonly title: string
  /** Beside the name of the service in the bar. */
  readonly subtitle: string
  /** The file of the script. */
  readonly script: string
  /** Links in the bar: descriptions of the API for tools, by their names. */
  readonly downloads: { readonly [name: string]: string }
  /** What the filter accepts, as its placeholder. */
  readonly filtered: string
  readonly guides: readonly Guide[]
  readonly groups: readonly Group[]
}

/** The filter searches `words` as well as the title. */
export type Guide = { readonly id: string; readonly title: string; readonly words: string }

/** Operations that belong together. */
export type Group = { readonly id: string; readonly title: string; readonly entries: readonly Entry[] }

export type Entry = { readonly id: string; readonly method: string; readonly name: string; readonly words: string }

export function framedPage(frame: PageFrame, content: Html): string {
  const { title, subtitle, script } = frame
  const downloads = Object.entries(frame.downloads).map(([name, path]) => html`<a href="${path}">${name}</a>`)
  const { markup } = html`<html lang="en">
<head>
<meta charset="utf-8"/>
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml"/>
<link rel="stylesheet" href="/docs/docs.css"/>
<script type="module" src="/docs/${script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<header class="bar">
<button type="button" id="menu" aria-expanded="false" aria-controls="side">Menu</button>
<a class="brand" href="#content">Paddock <span>${subtitle}</span></a>
<span class="version">${packageFile.version}</span>
<span class="downloads">${joinHtml(downloads, ' ')}</span>
</header>
${sidebar(frame)}
<main id="content" tabindex="-1">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return `<!DOCTYPE html>\n${markup}`
}

function sidebar({ filtered, guides, groups }: PageFrame): Html {
  const guideLinks = guides.map(
    ({ id, title, words }) =>
      html`<li data-words="${`${title} ${words}`.toLowerCase()}"><a href="#${id}">${title}</a></li>`,
  )
  const operationLinks = groups.map(({ id: group, title, entries }) => {
    const links = entries.map(({ id, method, name, words }) => {
      const link = html`<a href="#${id}">${methodBadge({ method })} <span>${name}</span></a>`
      return html`<li data-words="${words.toLowerCase()}">${link}</li>`
    })
    return html`<h2 id="nav-${group}">${title}</h2><ul aria-labelledby="nav-${group}">${links}</ul>`
  })
  return html`<nav id="side" class="side" aria-label="Reference">
<p class="filter"><label for="filter">Filter operations</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="${filtered}"
aria-keyshortcuts="/"/></p>
<p id="filtered" class="hidden-text" role="status"></p>
<h2 id="nav-guides">Guides</h2><ul aria-labelledby="nav-guides">${guideLinks}</ul>
${operationLinks}
</nav>`
}
