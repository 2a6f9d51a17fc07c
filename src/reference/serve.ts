// Serves the reference page of the public API and the descriptions for tools.

import type { FastifyInstance } from 'fastify'
import { type Document, referenceDocuments, serveDocuments } from '../http/documents.ts'
import { faultList } from '../http/failures.ts'
import type { Operation } from '../http/operation.ts'
import { combinedXsd } from '../http/representation/combined-xsd.ts'
import { xsd } from '../http/representation/xsd.ts'
import { openApi } from './openapi.ts'
import { type PageSettings, SAMPLE_ORIGIN } from './operation-section.ts'
import { page } from './page.ts'
import { offeredCollection } from './postman.ts'
import { withAddress } from './served-address.ts'

type ReferenceSettings = PageSettings & {
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
    return reply.redirect('/docs')
  })
  const served = () => withAddress(page(operations, settings), SAMPLE_ORIGIN, settings.address())
  const pages = referenceDocuments(served, 'docs.js')
  serveDocuments(app, 'reference', [...descriptions(operations, settings), ...pages])
}

function descriptions(operations: readonly Operation[], { sandbox, address }: ReferenceSettings): Document[] {
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
    { path: '/openapi.json', type, body: () => JSON.stringify(openApi(operations)) },
    {
      path: '/postman.json',
      type,
      body: () => JSON.stringify(offeredCollection(operations, { sandbox, address: address() })),
    },
    ...schemas,
    { path: '/schemas/paddock.xsd', type: 'application/xml; charset=utf-8', body: combined },
  ]
}
