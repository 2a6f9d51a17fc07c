// The reference as one page, rendered from the table of operations. It can be read without JavaScript; docs.js adds
// filtering and “Try it”.

import packageFile from '../../package.json' with { type: 'json' }
import { faultTable } from '../faults.ts'
import { type Area, areaOf, type Operation } from '../http/operation.ts'
import { errors, gettingStarted, representations } from './guides.ts'
import { type Html, html } from './html.ts'
import { methodBadge, operationSection, type PageSettings, SAMPLE_CREDENTIALS } from './operation-section.ts'
import { refusals } from './refusals.ts'

const AREAS: { readonly [A in Area]: { readonly title: string; readonly about: string } } = {
  sessions: { title: 'Sessions', about: 'Tickets that identify the customer of a request.' },
  profiles: { title: 'Profiles', about: 'Public profiles, follows, rankings and pictures.' },
  communities: { title: 'Communities', about: 'Tips: comments on bets, with likes and flags.' },
  wallets: { title: 'Wallets', about: 'Card deposits and registered payment methods.' },
}

/** The filter searches `words` as well as the title. */
const GUIDES = [
  { id: 'getting-started', title: 'Getting started', words: 'headers tickets parameters lists' },
  { id: 'representations', title: 'Representations', words: 'accept xml json' },
  { id: 'errors', title: 'Errors', words: `faults ${faultSearchWords(Object.values(faultTable))}` },
]

/** The filter finds faults by code and text. */
function faultSearchWords(faults: readonly { code: string; text: string }[]): string {
  return faults.map(({ code, text }) => `${code} ${text}`).join(' ')
}

type OperationEntry = { readonly id: string; readonly operation: Operation }
type Group = { readonly area: Area; readonly entries: readonly OperationEntry[] }

export function page(operations: readonly Operation[], settings: PageSettings): string {
  const groups = groupByArea(operations)
  const { markup } = html`<html lang="en">
<head>
<meta charset="utf-8"/>
<title>Paddock API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml"/>
<link rel="stylesheet" href="/docs/docs.css"/>
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<header class="bar">
<button type="button" id="menu" aria-expanded="false" aria-controls="side">Menu</button>
<a class="brand" href="#content">Paddock <span>API reference</span></a>
<span class="version">${packageFile.version}</span>
<a class="download" href="/openapi.json">OpenAPI</a>
</header>
${sidebar(groups)}
<main id="content" tabindex="-1">
<h1>Paddock API reference</h1>
<p class="lead">${packageFile.description}. Every response is XML or JSON, as you choose.</p>
${credentials(settings)}
${gettingStarted(operations)}
${representations(operations)}
${groups.map((group) => areaSection(group, settings))}
${errors(operations)}
</main>
</body>
</html>
`
  return `<!DOCTYPE html>\n${markup}`
}

/** An operation that the table contains twice, for two methods, gets two anchors. */
function groupByArea(operations: readonly Operation[]): Group[] {
  const names = new Set<string>()
  const entries = operations.map((operation) => {
    const { name, method } = operation
    const id = names.has(name) ? `${name}-${method.toLowerCase()}` : name
    names.add(name)
    return { id, operation }
  })
  const areas = Map.groupBy(entries, ({ operation }) => areaOf(operation.path))
  return [...areas].map(([area, of]) => ({ area, entries: of }))
}

function sidebar(groups: readonly Group[]): Html {
  const guides = GUIDES.map(
    ({ id, title, words }) =>
      html`<li data-words="${`${title} ${words}`.toLowerCase()}"><a href="#${id}">${title}</a></li>`,
  )
  const areas = groups.map(({ area, entries }) => {
    const links = entries.map(({ id, operation }) => {
      const { name, path, method, summary } = operation
      const faults = faultSearchWords(refusals(operation).filter(({ shared }) => !shared))
      const words = `${name} ${path} ${method} ${summary} ${faults}`.toLowerCase()
      const link = html`<a href="#${id}">${methodBadge(operation)} <span>${operation.name}</span></a>`
      return html`<li data-words="${words}">${link}</li>`
    })
    return html`<h2 id="nav-${area}">${AREAS[area].title}</h2><ul aria-labelledby="nav-${area}">${links}</ul>`
  })
  return html`<nav id="side" class="side" aria-label="Reference">
<p class="filter"><label for="filter">Filter operations</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="name, path, word, fault code"
aria-keyshortcuts="/"/></p>
<p id="filtered" class="hidden-text" role="status"></p>
<h2 id="nav-guides">Guides</h2><ul aria-labelledby="nav-guides">${guides}</ul>
${areas}
</nav>`
}

function credentials({ sandbox }: PageSettings): Html {
  const { key, secret, ticket } = SAMPLE_CREDENTIALS
  const fields = [
    { name: 'key', title: 'who-apiKey', type: 'text', placeholder: key },
    { name: 'secret', title: 'who-secret', type: 'password', placeholder: secret },
    { name: 'ticket', title: 'who-ticket', type: 'text', placeholder: ticket },
  ].map(
    ({ name, title, type, placeholder }) => html`<p class="field"><label for="credential-${name}">${title}</label>
<input id="credential-${name}" name="${name}" type="${type}" placeholder="${placeholder}" autocomplete="off"
spellcheck="false"/></p>`,
  )
  const filled = sandbox ? ' This service is a sandbox: its credentials are filled in.' : ''
  return html`<section id="credentials" aria-labelledby="credentials-title">
<h2 id="credentials-title">Your credentials</h2>
<p>“Try it” sends them with each request. They are stored in this browser tab only, until it closes.${filled}</p>
<noscript><p><strong>“Try it” needs JavaScript; the rest of this page does not.</strong></p></noscript>
<form id="credentials-form" data-sandbox="${sandbox ? 'yes' : 'no'}" autocomplete="off" novalidate="">
<div class="fields">${fields}</div>
<p class="send"><button type="button" id="use-sandbox" data-key="${key}" data-secret="${secret}"
data-ticket="${ticket}">Use sandbox credentials</button> <button type="button" id="clear-credentials">Clear</button>
<span id="credentials-status" class="quiet" role="status"></span></p>
</form>
</section>`
}

function areaSection({ area, entries }: Group, settings: PageSettings): Html {
  const { title, about } = AREAS[area]
  return html`<section class="area" id="${area}" aria-labelledby="${area}-title">
<h2 id="${area}-title">${title}</h2>
<p>${about}</p>
${entries.map(({ id, operation }) => operationSection(operation, id, settings))}
</section>`
}
