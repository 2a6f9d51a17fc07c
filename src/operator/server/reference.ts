// Serves the reference page of the operator API. It needs no token, because it shows no data of the service.

import type { FastifyInstance } from 'fastify'
import { referenceDocuments, serveDocuments } from '../../http/documents.ts'
import { type Html, html, nothing } from '../../reference/html.ts'
import { type Entry, framedPage } from '../../reference/page-frame.ts'
import { capitalise } from '../../reference/parts.ts'
import { withAddress } from '../../reference/served-address.ts'
import { type DescribedOperation, describeOperations, type OperatorArea } from './description.ts'
import { GUIDES, guides } from './reference-guides.ts'
import { operationSection, SAMPLE_ORIGIN } from './reference-operation.ts'

type PageSettings = {
  /** Whether the service has the sandbox's data, with which the examples work: forms are then prefilled. */
  readonly sandbox: boolean
}

export function serveOperatorReference(
  app: FastifyInstance,
  areas: readonly OperatorArea[],
  settings: PageSettings & { readonly address: () => string },
): void {
  serveDocuments(
    app,
    'operatorReference',
    referenceDocuments(
      () => withAddress(operatorPage(areas, settings), SAMPLE_ORIGIN, settings.address()),
      'operator.js',
    ),
  )
}

export function operatorPage(areas: readonly OperatorArea[], settings: PageSettings): string {
  const operations = describeOperations(areas)
  const inArea = (name: string) => operations.filter(({ area }) => area === name)
  const frame = {
    title: 'Paddock operator API reference',
    subtitle: 'operator API',
    script: 'operator.js',
    downloads: { OpenAPI: '/operator/openapi.json' },
    filtered: 'name, path, word, role',
    guides: GUIDES,
    groups: areas.map(({ name }) => ({ id: name, title: capitalise(name), entries: inArea(name).map(linkOf) })),
  }
  return framedPage(
    frame,
    html`<p class="lead">For the operator of the service: applications, customers, the sportsbook,
moderation, deposits, tokens and the audit trail.</p>
${tokenForm(settings)}
${guides(operations)}
${areas.map((area) => areaSection(area, inArea(area.name), settings))}
${CONFIRMATION}`,
  )
}

function linkOf({ name, path, method, summary, roles, problems }: DescribedOperation): Entry {
  const own = problems.filter(({ isShared }) => !isShared).map(({ status, when }) => `${status} ${when}`)
  return { id: name, method, name, words: [name, path, method, summary, ...roles, ...own].join(' ') }
}

function tokenForm({ sandbox }: PageSettings): Html {
  const found = sandbox
    ? html` This service is a sandbox: it printed its token at the first start and stored it in
<code>data/operator-token</code>, unless <code>OPERATOR_TOKEN</code> is set.`
    : nothing
  return html`<section id="credentials" aria-labelledby="credentials-title">
<h2 id="credentials-title">Your token</h2>
<p>“Try it” sends it with each request. It stays in the memory of this page only: reloading the page clears it.${found}</p>
<noscript><p><strong>“Try it” needs JavaScript; the rest of this page does not.</strong></p></noscript>
<form id="token-form" autocomplete="off" novalidate="">
<div class="fields"><p class="field"><label for="token">Operator token</label>
<input id="token" type="password" autocomplete="off" spellcheck="false"/></p></div>
<p class="send"><button type="button" id="clear-token">Clear</button>
<span id="token-status" class="quiet" role="status"></span></p>
</form>
</section>`
}

function areaSection(
  { name, description }: OperatorArea,
  operations: readonly DescribedOperation[],
  { sandbox }: PageSettings,
): Html {
  return html`<section class="area" id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${capitalise(name)}</h2>
<p>${description}</p>
${operations.map((operation) => operationSection(operation, sandbox))}
</section>`
}

/** Opened by the script before it sends a request that changes something. */
const CONFIRMATION = html`<dialog id="confirmation" aria-labelledby="confirmation-title">
<h2 id="confirmation-title">Send this request?</h2>
<p><code id="confirmation-request"></code></p>
<p>It changes data of this service. The audit trail records it under your token’s name.</p>
<p class="send"><button type="button" class="primary" id="confirm-request">Send it</button>
<button type="button" id="cancel-request" autofocus="">Cancel</button></p>
</dialog>`
