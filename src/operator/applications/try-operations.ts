// Requests that a developer tries from the console with the key of an application. They go to the public listener like any other,
// with the same checks, limits and log.

import { validateHeaderValue } from 'node:http'
import { applicationByKey } from '../../identity/applications/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { Unavailable } from '../../platform/runtime/unavailable.ts'
import type { ReferenceOperation, SentField } from '../../reference/document.ts'
import { SAMPLE_CREDENTIALS } from '../../reference/sample-credentials.ts'
import { type BuiltRequest, sentRequest } from '../../reference/sent-request.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { notFound, notValid } from '../server/problem.ts'
import type { DescribedApi } from './described-api.ts'
import { MAX_BODY, type Received, sendToListener } from './own-listener.ts'

const CREDENTIALS = ['who-apiKey', 'who-secret', 'who-ticket'] as const

const parameter = s.object({
  name: s.string({ examples: ['id'] }),
  from: s.string({ description: 'Where it is sent.', examples: ['path'] }),
  required: s.boolean({ examples: [true] }),
  description: s.string({ examples: ['the profile’s id'] }),
  choices: s.orNull(s.list(s.string()), { description: 'null: any value.', examples: [null] }),
  isSecret: s.boolean({ examples: [false] }),
  value: s.string({ description: 'What the sandbox’s example sends; outside the sandbox empty.', examples: ['2'] }),
  example: s.string({ examples: ['2'] }),
})

const publicOperation = s.named(
  'PublicOperation',
  s.object({
    name: s.string({ examples: ['getProfile'] }),
    summary: s.string({ examples: ['Get a profile'] }),
    area: s.string({ examples: ['profiles'] }),
    method: s.string({ examples: ['GET'] }),
    path: s.string({ examples: ['/v1/profiles/{id}'] }),
    credentials: s.list(s.oneOf(CREDENTIALS), { description: 'The headers that it reads.' }),
    needsTicket: s.boolean({ examples: [false] }),
    hasFormats: s.boolean({ description: 'Whether it answers XML or JSON, as the caller chooses.', examples: [true] }),
    warning: s.orNull(s.string(), { description: 'Why to ask before it is sent; null: no need.', examples: [null] }),
    picture: s.orNull(s.string(), {
      description: 'The path of the picture that is sent; null: none.',
      examples: [null],
    }),
    parameters: s.list(parameter),
  }),
)
export type PublicOperation = s.ValueOf<typeof publicOperation>

const publicOperations = s.named(
  'PublicOperations',
  s.object({
    application: s.string({ description: 'The name of the application.', examples: ['Mobile app'] }),
    origin: s.string({ description: 'Where applications reach the public API.', examples: ['http://127.0.0.1:8080'] }),
    ticket: s.orNull(s.string(), { description: 'One that works in the sandbox; null elsewhere.', examples: [null] }),
    items: s.list(publicOperation),
  }),
)

const triedRequest = s.named(
  'TriedRequest',
  s.object(
    { operation: s.text(1, 100, { examples: ['getProfile'] }) },
    {
      parameters: s.withDefault(
        s.record(s.lines(10_000), { description: 'By their names. Empty ones are not sent.', examples: [{ id: '2' }] }),
        {},
      ),
      accept: s.withDefault(s.oneOf(['xml', 'json'], { examples: ['json'] }), 'xml'),
      secret: s.text(1, 200, { description: 'The application’s secret, of which only a hash is stored.' }),
      ticket: s.text(1, 4000, { description: 'The customer for whom the request is sent.' }),
    },
  ),
)

const triedAnswer = s.named(
  'TriedAnswer',
  s.object({
    requestId: s.string({ description: 'The header `x-request-id`.', examples: ['k3x9ab-17'] }),
    status: s.integer(100, 599, { examples: [200] }),
    headers: s.list(s.object({ name: s.string({ examples: ['vary'] }), value: s.string({ examples: ['accept'] }) })),
    body: s.string({
      description: `Up to ${MAX_BODY / 1024} KiB; of a stream, up to its first event.`,
      examples: ['{"profile":{"id":2}}'],
    }),
    isCut: s.boolean({ description: 'Whether the body has more.', examples: [false] }),
    ms: s.number(0, Number.MAX_SAFE_INTEGER, { examples: [1.32] }),
  }),
)
export type TriedAnswer = s.ValueOf<typeof triedAnswer>

export const tryOperations = [
  operatorOperation({
    name: 'listPublicOperations',
    summary: 'The operations of the public API, to try',
    description: 'As the reference of the public API describes them, with values that work in the sandbox.',
    route: 'GET /applications/{apiKey}/operations',
    role: 'admin',
    answer: { 200: publicOperations },
    problems: { 404: 'There is no application with this key.' },
    example: { path: { apiKey: 'sandbox-key' } },
    async handle({ database, publicApi, config }, { path: { apiKey } }) {
      const { sandboxSeed } = config
      return {
        application: await nameOf(database, apiKey),
        origin: config.public.url ?? publicApi.address(),
        ticket: sandboxSeed ? SAMPLE_CREDENTIALS.ticket : null,
        items: publicApi.operations().map((one) => describedOperation(one, sandboxSeed)),
      }
    },
  }),
  operatorOperation({
    name: 'tryOperation',
    summary: 'Send a request to the public API with the key of an application',
    description:
      'It goes to the public listener of this process like a request of the application: with its limits, and into the log of its ' +
      'requests. What it changes is changed. The audit trail has the operation, and neither parameters nor credentials.',
    route: 'POST /applications/{apiKey}/try',
    role: 'admin',
    audit: 'sent {body.operation} with the key of application {apiKey}',
    body: triedRequest,
    answer: { 200: triedAnswer },
    problems: {
      404: 'There is no application with this key.',
      422: 'The public API has no such operation, the operation has no such parameter, or a value cannot be a header.',
    },
    example: {
      path: { apiKey: 'sandbox-key' },
      body: { operation: 'getProfile', parameters: { id: '2' }, accept: 'json', secret: SAMPLE_CREDENTIALS.secret },
    },
    async handle({ database, publicApi, config }, { path: { apiKey }, body }) {
      await nameOf(database, apiKey)
      const operation = publicApi.operations().find(({ name }) => name === body.operation)
      if (operation === undefined) throw notValid([{ pointer: '/operation', detail: 'is not one of the public API' }])
      const request = requestOf(operation, { 'who-apiKey': apiKey, ...credentialsIn(body) }, body)
      const hasPicture = operation.body?.['x-example-path'] !== undefined
      return shownAnswer(await send(publicApi, request, hasPicture ? config.pictures.default : null))
    },
  }),
]

async function nameOf(database: Database, apiKey: string): Promise<string> {
  const application = await database.one(applicationByKey, { apiKey })
  if (application === undefined) throw notFound('application with this key')
  return application.name
}

function describedOperation(operation: ReferenceOperation, sandbox: boolean): PublicOperation {
  const { name, summary, tags, method, path, security, fields, isNegotiated, body } = operation
  const schemes = security.map((one) => Object.keys(one))
  return {
    ...{ name, summary, area: tags[0], method, path, hasFormats: isNegotiated },
    credentials: CREDENTIALS.filter((one) => schemes.flat().includes(one)),
    needsTicket: schemes.length > 0 && schemes.every((one) => one.includes('who-ticket')),
    warning: warningOf(operation, sandbox),
    picture: body?.['x-example-path'] ?? null,
    parameters: fields.map((field) => describedParameter(field, sandbox)),
  }
}

function describedParameter(field: SentField, sandbox: boolean): PublicOperation['parameters'][number] {
  const { name, from, required, description, schema, example = '', typical } = field
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((choice) => choice !== '').map(String) : null
  const isSecret = schema.format === 'password'
  return {
    ...{ name, from, required, description, choices, isSecret },
    ...{ value: sandbox ? example : '', example: typical },
  }
}

/** Examples of the sandbox may be tried without a question, unless they move money or lock the customer out. */
function warningOf(operation: ReferenceOperation, sandbox: boolean): string | null {
  if (operation['x-locks-out']) return 'Locks the customer of the ticket out: nothing shortens it.'
  if (operation['x-moves-money']) return 'Moves money of the customer of the ticket.'
  return sandbox || operation.method === 'GET' || operation.method === 'HEAD' ? null : 'Changes data.'
}

type Tried = s.ValueOf<typeof triedRequest>
type Credentials = { readonly [header: string]: string }

function credentialsIn({ secret, ticket }: Tried): Credentials {
  return { ...(secret && { 'who-secret': secret }), ...(ticket && { 'who-ticket': ticket }) }
}

function requestOf(
  operation: ReferenceOperation,
  credentials: Credentials,
  { parameters, accept }: Tried,
): BuiltRequest {
  const unknown = Object.keys(parameters).filter((name) => operation.fields.every((field) => field.name !== name))
  if (unknown.length > 0) {
    throw notValid(unknown.map((name) => ({ pointer: `/parameters/${name}`, detail: 'is no parameter of it' })))
  }
  const read = new Set(operation.security.flatMap((one) => Object.keys(one)))
  const own = Object.entries(credentials).filter(([header]) => read.has(header))
  const headers = operation.isNegotiated ? [['accept', `application/${accept}`] as const, ...own] : own
  const request = sentRequest(operation, parameters, headers)
  for (const [name, value] of request.headers) refuseNoHeader(name, value)
  return request
}

function refuseNoHeader(name: string, value: string): void {
  try {
    validateHeaderValue(name, value)
  } catch {
    throw notValid([{ pointer: `/parameters/${name}`, detail: 'has characters that a header cannot have' }])
  }
}

/** `picture`: the path of the one that is the request's body; null: none. */
async function send(api: DescribedApi, request: BuiltRequest, picture: string | null): Promise<Received> {
  try {
    if (picture === null) return await sendToListener(api.address(), request, request.body)
    const shown = { method: 'GET', address: picture, headers: [], body: '' }
    return await sendToListener(api.address(), request, (await sendToListener(api.address(), shown, '')).body)
  } catch (error) {
    throw new Unavailable('the public listener did not answer', { cause: error })
  }
}

function shownAnswer({ status, headers, body, isCut, ms }: Received): TriedAnswer {
  const pairs = headers.map(([name, value]) => ({ name, value }))
  const requestId = pairs.find(({ name }) => name.toLowerCase() === 'x-request-id')?.value ?? ''
  return { requestId, status, headers: pairs, body: body.toString(), isCut, ms: Math.round(ms * 100) / 100 }
}
