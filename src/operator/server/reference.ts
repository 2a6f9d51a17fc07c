// Serves the OpenAPI document of the operator API and the reference made of it. Both need no token, because they show no data of
// the service.

import type { FastifyInstance } from 'fastify'
import { type Document, serveDocuments } from '../../http/answers/documents.ts'
import { once } from '../../platform/runtime/once.ts'
import { type OpenApi, operationsOf } from '../../reference/document.ts'
import { readGuide } from '../../reference/guides.ts'
import { html } from '../../reference/html.ts'
import { siteDocuments } from '../../reference/pages.ts'
import { problemFields, sharedProblems } from '../../reference/refusal-tables.ts'
import { plainSample } from '../../reference/samples.ts'
import { answeredFields } from '../../reference/schema-fields.ts'
import type { Site } from '../../reference/site.ts'
import { operatorOpenApi } from './openapi.ts'
import type { OperatorArea } from './operation.ts'

type ReferenceSettings = {
  /** Whether the service has the sandbox's data, with which the examples work. */
  readonly sandbox: boolean
  readonly address: () => string
}

export function serveOperatorReference(
  app: FastifyInstance,
  areas: readonly OperatorArea[],
  settings: ReferenceSettings,
): void {
  const description = once(() => operatorOpenApi(areas))
  const body = () => JSON.stringify(description())
  serveDocuments(app, 'operatorOpenApi', [
    { path: '/operator/openapi.json', type: 'application/json; charset=utf-8', body },
  ])
  serveDocuments(app, 'operatorReference', operatorPages(areas, settings, description))
}

export function operatorPages(
  areas: readonly OperatorArea[],
  settings: ReferenceSettings,
  description: () => object = () => operatorOpenApi(areas),
): Document[] {
  const operations = areas.flatMap((area) => area.operations.map(({ name }) => name))
  return siteDocuments(() => operatorSite(description() as OpenApi, settings), { guides: GUIDES, operations })
}

const GUIDES = ['authentication', 'roles', 'formats', 'lists', 'problems', 'audit-trail']

const STORAGE = html`“Try it” sends your token with each request. It stays in the memory of this page only: reloading the page clears it.`
const SANDBOX_STORAGE = html`${STORAGE} This service is a sandbox: it printed its token at the first start and stored it in
<code>data/operator-token</code>, unless <code>OPERATOR_TOKEN</code> is set.`

function operatorSite(document: OpenApi, { sandbox, address }: ReferenceSettings): Site {
  const token = { scheme: 'token', label: 'Operator token', header: 'authorization', prefix: 'Bearer ' }
  return {
    document,
    title: 'Paddock operator API reference',
    subtitle: 'operator API',
    origin: address(),
    sandbox,
    confirmsChanges: 'It changes data of this service. The audit trail records it under your token’s name.',
    downloads: { OpenAPI: '/operator/openapi.json' },
    credentials: [{ ...token, sample: 'Bearer $OPERATOR_TOKEN', shown: 'never' }],
    storage: { until: 'reload', text: sandbox ? SANDBOX_STORAGE : STORAGE },
    guides: operatorGuides(document, address()),
  }
}

function operatorGuides(document: OpenApi, origin: string): Site['guides'] {
  const names = operationsOf(document).map(({ name }) => name)
  const invalid = document.components.responses?.Problem422?.content?.['application/problem+json']?.example
  const errors = [{ pointer: 'path/id', detail: 'must be an id: 1 to 15 digits' }]
  const inserted = {
    origin,
    'shared-problems': sharedProblems(document),
    'problem-example': plainSample('A problem', { ...(invalid as object), errors }),
    'problem-fields': answeredFields(document, 'Fields of a problem', problemFields(document)),
  }
  return GUIDES.map((id) => readGuide(`operator/${id}`, inserted, (name) => names.includes(name)))
}
