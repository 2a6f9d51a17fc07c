// The reference of the public API as one page, rendered from the table of operations.

import packageFile from '../../package.json' with { type: 'json' }
import { faultTable } from '../faults.ts'
import { type Area, areaOf, type Operation } from '../http/operation.ts'
import { clientGuide } from './client-guide.ts'
import { errors, gettingStarted, representations } from './guides.ts'
import { type Html, html } from './html.ts'
import { operationSection, type PageSettings, SAMPLE_CREDENTIALS } from './operation-section.ts'
import { type Entry, framedPage, type Guide } from './page-frame.ts'
import { refusals } from './refusals.ts'

const AREAS: { readonly [A in Area]: { readonly title: string; readonly about: string } } = {
  sessions: { title: 'Sessions', about: 'Tickets that identify the customer of a request.' },
  profiles: { title: 'Profiles', about: 'Public profiles, follows, rankings and pictures.' },
  communities: { title: 'Communities', about: 'Tips: comments on bets, with likes and flags.' },
  wallets: { title: 'Wallets', about: 'Card deposits and registered payment methods.' },
  stream: {
    title: 'Live stream',
    about:
      'What concerns a customer, sent as it happens. Clients of server-sent events reconnect and resume by themselves.',
  },
}

const GUIDES: readonly Guide[] = [
  { id: 'getting-started', title: 'Getting started', words: 'headers tickets parameters lists' },
  { id: 'representations', title: 'Representations', words: 'accept xml json' },
  { id: 'client', title: 'TypeScript client', words: 'javascript npm iterators stream webhooks money retries' },
  { id: 'errors', title: 'Errors', words: `faults ${faultSearchWords(Object.values(faultTable))}` },
]

/** The filter finds faults by code and text. */
function faultSearchWords(faults: readonly { code: string; text: string }[]): string {
  return faults.map(({ code, text }) => `${code} ${text}`).join(' ')
}

type OperationEntry = { readonly id: string; readonly operation: Operation }
type AreaEntries = { readonly area: Area; readonly entries: readonly OperationEntry[] }

export function page(operations: readonly Operation[], settings: PageSettings): string {
  const areas = groupByArea(operations)
  const frame = {
    title: 'Paddock API reference',
    subtitle: 'API reference',
    script: 'docs.js',
    downloads: { OpenAPI: '/openapi.json', Postman: '/postman.json' },
    filtered: 'name, path, word, fault code',
    guides: GUIDES,
    groups: areas.map(({ area, entries }) => ({ id: area, title: AREAS[area].title, entries: entries.map(linkOf) })),
  }
  return framedPage(
    frame,
    html`<p class="lead">${packageFile.description}. Every response is XML or JSON, as you choose.</p>
${credentials(settings)}
${gettingStarted(operations)}
${representations(operations)}
${clientGuide(operations)}
${areas.map((area) => areaSection(area, settings))}
${errors(operations)}`,
  )
}

/** An operation that the table contains twice, for two methods, gets two anchors. */
function groupByArea(operations: readonly Operation[]): AreaEntries[] {
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

function linkOf({ id, operation }: OperationEntry): Entry {
  const { name, path, method, summary } = operation
  const faults = faultSearchWords(refusals(operation).filter(({ shared }) => !shared))
  return { id, method, name, words: `${name} ${path} ${method} ${summary} ${faults}` }
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

function areaSection({ area, entries }: AreaEntries, settings: PageSettings): Html {
  const { title, about } = AREAS[area]
  return html`<section class="area" id="${area}" aria-labelledby="${area}-title">
<h2 id="${area}-title">${title}</h2>
<p>${about}</p>
${entries.map(({ id, operation }) => operationSection(operation, id, settings))}
</section>`
}
