// A reference: a start page, a page for each guide and each operation, the documents beside it, and an index to search all of them. Pages can be read without
// JavaScript; the script adds the search and “Try it”.

import { readFileSync } from 'node:fs'
import { type Document, PAGE_HEADERS } from '../http/answers/documents.ts'
import { once } from '../platform/runtime/once.ts'
import { operationsOf, type ReferenceOperation } from './document.ts'
import { handbookGuides } from './handbook.ts'
import {
  GUIDES_TITLE,
  handbookFiles,
  handbookGroups,
  handbookIndex,
  handbookPage,
  renderedGuides,
  shortTitle,
} from './handbook-pages.ts'
import { capitalise, type Html, html, joinHtml, nothing, prose } from './html.ts'
import { methodBadge, operationPage } from './operation-page.ts'
import { refusalWords } from './refusal-tables.ts'
import type { Guide, Site } from './site.ts'

/** `site` is made once, at the first request. */
export function siteDocuments(
  site: () => Site,
  names: { guides: readonly string[]; operations: readonly string[] },
): Document[] {
  const made = once(site)
  const operations = once(() => operationsOf(made().document))
  const rendered = renderedGuides(operations)
  const page = (path: string, content: () => { title: string; main: Html; of?: string }) => ({
    path,
    type: 'text/html; charset=utf-8',
    body: () => framed(made(), operations(), { path: path.replace(/\/$/, ''), ...content() }),
  })
  const start = () => ({ title: made().title, main: startPage(made(), operations()) })
  const guide = (id: string) => () => {
    const { title, content } = made().guides.find((one) => one.id === id) as Guide
    return { title, main: content }
  }
  const operation = (name: string) => () => {
    const found = operations().find((one) => one.name === name) as ReferenceOperation
    return { title: name, main: operationPage(made(), found) }
  }
  const pages = [
    page('/docs', start),
    page('/docs/', start),
    ...names.guides.map((id) => page(`/docs/${id}`, guide(id))),
    ...names.operations.map((name) => page(`/docs/${name}`, operation(name))),
    ...['/guides', '/guides/'].map((path) =>
      page(path, () => ({ ...OF_GUIDES, title: GUIDES_TITLE, main: handbookIndex() })),
    ),
    ...handbookGuides().map((one) =>
      page(`/guides/${one.id}`, () => ({ ...OF_GUIDES, title: one.title, main: handbookPage(one, rendered(one)) })),
    ),
  ]
  const index = {
    path: '/docs/search.json',
    type: 'application/json; charset=utf-8',
    body: () => JSON.stringify({ ...searchIndex(made(), operations()), ...guideIndex(rendered) }),
  }
  return [...pages, index, ...FILES, ...handbookFiles(made)].map((one) => ({ ...one, headers: PAGE_HEADERS }))
}

const STYLES = ['theme.css', 'reference/layout.css', 'reference/content.css', 'reference/guide.css']

const FILES: readonly Document[] = [
  { path: '/docs/reference.css', type: 'text/css; charset=utf-8', body: () => STYLES.map(file).join('') },
  ...['page.js', 'credentials.js', 'dom.js', 'request.js', 'samples.js', 'send.js'].map((name) => ({
    path: `/docs/${name}`,
    type: 'text/javascript; charset=utf-8',
    body: () => file(`reference/${name}`),
  })),
  { path: '/docs/icon.svg', type: 'image/svg+xml', body: () => file('icon.svg') },
]

function file(name: string): string {
  return readFileSync(new URL(`../../web/${name}`, import.meta.url), 'utf8')
}

// ---- The frame.

/** `of`: the pages that it belongs to, unless they are the reference. */
type Framed = { readonly path: string; readonly title: string; readonly main: Html; readonly of?: string }

const OF_GUIDES = { of: GUIDES_TITLE }

function framed(site: Site, operations: readonly ReferenceOperation[], framed: Framed): string {
  const { path, title, main, of = site.title } = framed
  const downloads = Object.entries({ Guides: '/guides', ...site.downloads }).map(
    ([name, at]) => html`<a href="${at}">${name}</a>`,
  )
  const { markup } = html`<html lang="en">
<head>
<meta charset="utf-8"/>
<title>${title === of ? title : `${title} – ${of}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml"/>
<link rel="stylesheet" href="/docs/reference.css"/>
<script type="module" src="/docs/page.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header class="bar">
<button type="button" id="menu" aria-expanded="false" aria-controls="side">Menu</button>
<a class="brand" href="/docs"><img src="/docs/icon.svg" alt=""/>Paddock <span>${site.subtitle}</span></a>
<span class="version">${site.document.info.version}</span>
<span class="downloads">${joinHtml(downloads, ' ')}</span>
</header>
${sidebar(site, operations, path)}
<main id="content" tabindex="-1">
${main}
</main>
${credentialsDialog(site)}
${CONFIRMATION}
</body>
</html>
`
  return `<!DOCTYPE html>\n${markup}`
}

function sidebar(site: Site, operations: readonly ReferenceOperation[], path: string): Html {
  const link = (address: string, content: Html) => {
    const current = path === address ? html` aria-current="page"` : nothing
    return html`<li><a href="${address}"${current}>${content}</a></li>`
  }
  const guides = site.guides.map(({ id, title }) => link(`/docs/${id}`, html`${title}`))
  const areas = areasOf(site, operations).map(({ name, title, entries }) => {
    const links = entries.map((one) => link(`/docs/${one.name}`, html`${methodBadge(one)} <span>${one.name}</span>`))
    return html`<h2 id="nav-${name}">${title}</h2><ul aria-labelledby="nav-${name}">${links}</ul>`
  })
  const ofReference = html`<h2 id="nav-guides">About the API</h2><ul aria-labelledby="nav-guides">${guides}</ul>${areas}`
  const documents = handbookGroups().map(([group, entries], index) => {
    const links = entries.map((one) => link(`/guides/${one.id}`, html`${shortTitle(one)}`))
    return html`<h2 id="nav-group-${index}">${group}</h2><ul aria-labelledby="nav-group-${index}">${links}</ul>`
  })
  const ofGuides = html`${documents}`
  return html`<nav id="side" class="side" aria-label="Reference and guides">
<p class="filter"><label for="filter">Find an operation or a guide</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="name, path, word, error"
aria-keyshortcuts="/"/></p>
<p id="filtered" class="hidden-text" role="status"></p>
<div class="pages">${path.startsWith('/guides') ? [ofGuides, ofReference] : [ofReference, ofGuides]}</div>
</nav>`
}

function areasOf({ document }: Site, operations: readonly ReferenceOperation[]) {
  return document.tags.map(({ name, description, 'x-displayName': title = capitalise(name) }) => {
    return { name, title, description, entries: operations.filter(({ tags }) => tags.includes(name)) }
  })
}

function credentialsDialog({ credentials, storage, sandbox }: Site): Html {
  const fields = credentials.map(
    ({
      label,
      header,
      prefix,
      sample,
      shown,
    }) => html`<p class="field"><label for="credential-${header}">${label}</label>
<input id="credential-${header}" name="${header}" type="${shown === 'yes' ? 'text' : 'password'}" data-prefix="${prefix}"
data-sample="${sample}" data-shown="${shown}" autocomplete="off" spellcheck="false"/></p>`,
  )
  const sampled = html`<button type="button" id="use-sandbox">Use sandbox credentials</button>`
  return html`<dialog id="credentials" aria-labelledby="credentials-title">
<h2 id="credentials-title">Your credentials</h2>
<p>${storage.text}</p>
<form id="credentials-form" method="dialog" data-until="${storage.until}" data-sandbox="${sandbox ? 'yes' : 'no'}" autocomplete="off"
novalidate=""><div class="fields">${fields}</div>
<p class="send"><button type="submit" class="primary">Done</button> ${storage.until === 'tab' ? sampled : nothing}
<button type="button" id="clear-credentials">Clear</button>
<span id="credentials-status" class="quiet" role="status"></span></p>
</form>
</dialog>`
}

/** Opened by the script before it sends a request whose form has a warning. */
const CONFIRMATION = html`<dialog id="confirmation" aria-labelledby="confirmation-title">
<h2 id="confirmation-title">Send this request?</h2>
<p><code id="confirmation-request"></code></p>
<p id="confirmation-effect"></p>
<p class="send"><button type="button" class="primary" id="confirm-request">Send it</button>
<button type="button" id="cancel-request" autofocus="">Cancel</button></p>
</dialog>`

// ---- The start page, and the search.

/** Its ids are those of the sections that one page had before: the script follows a link that the address names. */
function startPage(site: Site, operations: readonly ReferenceOperation[]): Html {
  const guides = site.guides.map(({ id, title, headings }) => {
    const parts = headings.map((one) => html`<a id="${one.id}" href="/docs/${id}#${one.id}">${one.title}</a>`)
    return html`<li><a id="${id}" href="/docs/${id}">${title}</a> <span class="quiet">${joinHtml(parts, ' · ')}</span></li>`
  })
  const areas = areasOf(site, operations).map(({ name, title, description, entries }) => {
    const links = entries.map(
      (one) =>
        html`<li><a id="${one.name}" href="/docs/${one.name}">${one.name}</a> <span class="quiet">${prose(one.summary)}</span></li>`,
    )
    return html`<section class="area" id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title">${title}</h2>
<p>${description}</p><ul class="index">${links}</ul></section>`
  })
  return html`<h1>${site.title}</h1>
<p class="lead">${site.document.info.summary}.</p>
<section class="panel" aria-labelledby="own-title"><h2 id="own-title">Your credentials</h2>
<p>${site.storage.text}</p>
<noscript><p><strong>“Try it” and the search need JavaScript; everything else does not.</strong></p></noscript>
<p class="send"><button type="button" class="credentials">Enter credentials</button> <span class="sent-as quiet"></span></p></section>
<section aria-labelledby="guides-title"><h2 id="guides-title">About the API</h2><ul class="index">${guides}</ul></section>
${areas}`
}

/** What finds each page, in small letters. */
export function searchIndex(
  { document, guides }: Site,
  operations: readonly ReferenceOperation[],
): { [path: string]: string } {
  const ofGuides = guides.map(({ id, content }) => [id, textOf(content)] as const)
  const ofOperations = operations.map((operation) => {
    const { name, path, method, summary, security } = operation
    const roles = security.flatMap((one) => Object.values(one).flat())
    return [name, [name, path, method, summary, ...roles, ...refusalWords(document, operation)].join(' ')] as const
  })
  return Object.fromEntries([...ofGuides, ...ofOperations].map(([name, text]) => [`/docs/${name}`, words(text)]))
}

function guideIndex(rendered: ReturnType<typeof renderedGuides>): { [path: string]: string } {
  return Object.fromEntries(handbookGuides().map((one) => [`/guides/${one.id}`, words(textOf(rendered(one).content))]))
}

function textOf({ markup }: Html): string {
  return markup.replace(/<[^>]*>?/g, ' ')
}

function words(text: string): string {
  return [...new Set(text.toLowerCase().split(/\s+/))].join(' ')
}
