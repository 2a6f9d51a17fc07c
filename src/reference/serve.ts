// Serves the reference of the public API and the descriptions for tools.

import type { FastifyInstance } from 'fastify'
import { type Document, serveDocuments } from '../http/answers/documents.ts'
import { faultList } from '../http/operations/failures.ts'
import type { Operation } from '../http/operations/operation.ts'
import { combinedXsd } from '../http/representation/combined-xsd.ts'
import { xsd } from '../http/representation/xsd.ts'
import { once } from '../platform/runtime/once.ts'
import { type OpenApi, operationsOf } from './document.ts'
import { readGuide } from './guides.ts'
import { type Html, html, nothing } from './html.ts'
import { openApi, operationIds } from './openapi.ts'
import { siteDocuments } from './pages.ts'
import { offeredCollection } from './postman.ts'
import { allFaults, sharedFaults } from './refusal-tables.ts'
import { SAMPLE_CREDENTIALS } from './sample-credentials.ts'
import { xmlAndJsonSample } from './samples.ts'
import type { Site } from './site.ts'

export type ReferenceSettings = {
  /** Whether the service has the sandbox's data, with which the examples work. */
  readonly sandbox: boolean
  /** Where the root leads, if not to the reference. */
  readonly home?: string | undefined
  /** The path of a picture of the service, to upload as an example. */
  readonly picture: string
  /** Where clients reach the service; known once it listens. */
  readonly address: () => string
}

export function serveReference(
  app: FastifyInstance,
  operations: readonly Operation[],
  settings: ReferenceSettings,
): void {
  app.get('/', (request, reply) => {
    request.record.operation = 'reference'
    return reply.redirect(settings.home ?? '/docs')
  })
  serveDocuments(app, 'reference', publicDocuments(operations, settings))
}

export function publicDocuments(operations: readonly Operation[], settings: ReferenceSettings): Document[] {
  const description = once(() => openApi(operations, settings.picture))
  const site = () => publicSite(description() as OpenApi, settings)
  const own = operationIds(operations).filter(({ operation, path }) => path === operation.path)
  const pages = siteDocuments(site, { guides: GUIDES, operations: own.map(({ id }) => id) })
  return [...descriptions(operations, description, settings), ...pages]
}

// ---- The site.

const GUIDES = ['getting-started', 'representations', 'client', 'errors']

const STORAGE = html`“Try it” sends them with each request. They are stored in this browser tab only, until it closes.`
const SANDBOX_STORAGE = html`${STORAGE} This service is a sandbox: its credentials are filled in.`

function publicSite(document: OpenApi, { sandbox, address }: ReferenceSettings): Site {
  const { key, secret, ticket } = SAMPLE_CREDENTIALS
  const header = (name: string, sample: string, shown: 'yes' | 'masked') => {
    return { scheme: name, label: name, header: name, prefix: '', sample, shown }
  }
  return {
    document,
    title: 'Paddock API reference',
    subtitle: 'API reference',
    origin: address(),
    sandbox,
    confirmsChanges: sandbox ? null : 'It changes data of this service.',
    downloads: { OpenAPI: '/openapi.json', Postman: '/postman.json' },
    credentials: [
      header('who-apiKey', key, 'yes'),
      header('who-secret', secret, 'masked'),
      header('who-ticket', ticket, 'yes'),
    ],
    storage: { until: 'tab', text: sandbox ? SANDBOX_STORAGE : STORAGE },
    guides: publicGuides(document, address()),
  }
}

function publicGuides(document: OpenApi, origin: string): Site['guides'] {
  const operations = operationsOf(document)
  const inserted = {
    ...{ origin, ...SAMPLE_CREDENTIALS },
    'shared-faults': sharedFaults(document),
    'all-faults': allFaults(document, operations),
    'fault-list': faultSample(document, 'A fault', 'faultList'),
    'fault-object': faultSample(document, 'A fault of communities', 'faultObject'),
  }
  return GUIDES.map((id) => readGuide(`public/${id}`, inserted, (name) => operations.some((one) => one.name === name)))
}

function faultSample({ components }: OpenApi, title: string, schema: string): Html {
  const xml = components.examples?.['noProfile.id.xml']?.value
  const json = components.examples?.[`noProfile.id.${schema}`]?.value
  return json === undefined ? nothing : xmlAndJsonSample(title, String(xml), json)
}

// ---- Descriptions for tools.

function descriptions(
  operations: readonly Operation[],
  description: () => object,
  { sandbox, address }: ReferenceSettings,
): Document[] {
  const documents = new Map(operations.map(({ name, answer }) => [name, answer.document]))
  documents.set('faults', faultList)
  const schemas = [...documents].flatMap(([name, document]) =>
    document === null
      ? []
      : [{ path: `/schemas/${name}.xsd`, type: 'application/xml; charset=utf-8', body: () => xsd(document) }],
  )
  const combined = () => combinedXsd([...documents.values()].filter((document) => document !== null))
  const type = 'application/json; charset=utf-8'
  return [
    { path: '/openapi.json', type, body: () => JSON.stringify(description()) },
    {
      path: '/postman.json',
      type,
      body: () => JSON.stringify(offeredCollection(operations, { sandbox, address: address() })),
    },
    ...schemas,
    { path: '/schemas/paddock.xsd', type: 'application/xml; charset=utf-8', body: combined },
  ]
}
