import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { areaOf, type Operation } from '../src/http/operations/operation.ts'
import { allOperations } from '../src/operations.ts'
import { answerExample, parameterExample } from '../src/reference/example.ts'
import { openApi } from '../src/reference/openapi.ts'
import { SAMPLE_CREDENTIALS } from '../src/reference/sample-credentials.ts'
import { refuseArguments } from './command-line.js'

const file = fileURLToPath(new URL('../assets/postman.json', import.meta.url))

const USAGE = `Usage: npm run postman

  Writes assets/postman.json: the Postman collection of the public API, which the service serves as /postman.json.`

type Json = { readonly [key: string]: unknown }
type Conversion = { result: boolean; reason?: string; output: { data: Json }[] }
type Converter = {
  convertV2(
    input: { type: 'json'; data: Json },
    options: Json,
    done: (error: Error | null, conversion: Conversion) => void,
  ): void
}

/** The same text each time: its ids are omitted, or derived from names. */
export async function postmanCollection(): Promise<string> {
  // It has no types.
  const converter = createRequire(import.meta.url)('openapi-to-postmanv2') as Converter
  const options = { folderStrategy: 'Tags', parametersResolution: 'Example', enableOptionalParameters: false }
  const { result, reason, output } = await new Promise<Conversion>((resolve, reject) => {
    converter.convertV2({ type: 'json', data: describedForPostman(allOperations) }, options, (error, conversion) =>
      error === null ? resolve(conversion) : reject(error),
    )
  })
  if (!result || output[0] === undefined) throw new Error(`openapi-to-postmanv2: ${reason}`)
  const { info, item } = output[0].data
  const variable = Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' }))
  const collection = { info: { ...(info as Json), _postman_id: idOf('Paddock') }, variable, item }
  return `${JSON.stringify(collection, withoutIds, 1)}\n`
}

/** Replaced by the address of the service that serves the collection. */
const SAMPLE_ORIGIN = 'http://localhost:8080'

const VARIABLES = {
  baseUrl: SAMPLE_ORIGIN,
  apiKey: SAMPLE_CREDENTIALS.key,
  secret: SAMPLE_CREDENTIALS.secret,
  ticket: SAMPLE_CREDENTIALS.ticket,
}

/** Postman knows by it that an imported collection is a newer version of one it has. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

/** Requests and examples have random ids, which Postman replaces at each import. */
function withoutIds(this: unknown, key: string, value: unknown): unknown {
  const isOfItem = typeof this === 'object' && this !== null && ('request' in this || 'originalRequest' in this)
  return key === 'id' && isOfItem ? undefined : value
}

/** What the converter reads: requests that work in the sandbox unchanged, with the credentials as headers. */
function describedForPostman(operations: readonly Operation[]): Json {
  const { info, tags } = openApi(operations) as { info: Json; tags: unknown }
  const paths: { [path: string]: { [method: string]: Json } } = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    Object.assign(paths[operation.path] as object, { [operation.method.toLowerCase()]: describedRequest(operation) })
  }
  // The converter reads `$ref`s of OpenAPI 3.0 only; here are none.
  return { openapi: '3.0.3', info, servers: [{ url: SAMPLE_ORIGIN }], tags, paths }
}

function describedRequest(operation: Operation): Json {
  const { name, summary, path, body } = operation
  const inForm = parametersIn(operation, 'form')
  const required = inForm.filter((one) => one.required).map((one) => one.name)
  const properties = Object.fromEntries(
    inForm.map((one) => [one.name, { ...one.schema, description: one.description }]),
  )
  const form = { 'application/x-www-form-urlencoded': { schema: { type: 'object', required, properties } } }
  const picture = { 'image/png': { schema: { type: 'string', format: 'binary' } } }
  const content = body === 'picture' ? picture : form
  return {
    operationId: name,
    summary: name,
    description: `${summary}.`,
    tags: [areaOf(path)],
    parameters: [
      ...parametersIn(operation, 'path'),
      ...parametersIn(operation, 'query'),
      ...parametersIn(operation, 'header'),
      ...credentialHeaders(operation),
    ],
    ...(inForm.length > 0 || body === 'picture' ? { requestBody: { content } } : {}),
    responses: successfulResponse(operation),
  }
}

type Place = 'path' | 'query' | 'header' | 'form'
type Described = { name: string; in: Place; required: boolean; description: string; schema: Json }

/** A parameter is sent in one place, and only if the request needs it; Postman lists the others unticked. */
function parametersIn(operation: Operation, place: Place): Described[] {
  return Object.entries(operation.parameters).flatMap(([name, { from, meaning, schema }]) => {
    if (placeOf(operation, from) !== place) return []
    const { value, shown } = parameterExample(operation, name)
    // Postman lists the choices in the description; a blank one is the same as none.
    const choices = Array.isArray(schema.enum) ? { enum: schema.enum.filter((choice) => choice !== '') } : {}
    // The converter takes an example of the schema's own type only, and makes up a value otherwise.
    const typed = schema.type === 'integer' ? Number(value) : value
    const example = value === VARIABLES.ticket ? '{{ticket}}' : typed
    return [{ name, in: place, required: shown, description: meaning, schema: { ...schema, ...choices, example } }]
  })
}

function placeOf({ method }: Operation, from: string): Place {
  const takesForm = method === 'POST' || method === 'PUT'
  return (from === 'query or form' ? (takesForm ? 'form' : 'query') : from.split(' or ')[0]) as Place
}

function credentialHeaders({ credentials, ticket }: Operation): Described[] {
  if (credentials === 'none') return []
  const sent = CREDENTIALS.filter(({ name }) => name !== 'who-ticket' || ticket !== 'none')
  return sent.map(({ name, description, example }) => ({
    ...{ name, in: 'header', required: true, description },
    schema: { type: 'string', example },
  }))
}

const CREDENTIALS = [
  { name: 'who-apiKey', description: 'the application’s key', example: '{{apiKey}}' },
  { name: 'who-secret', description: 'the application’s secret', example: '{{secret}}' },
  { name: 'who-ticket', description: 'the customer’s session ticket', example: '{{ticket}}' },
]

function successfulResponse(operation: Operation): Json {
  const { status, stream } = operation.answer
  const example = answerExample(operation)
  const json = example === null ? {} : { 'application/json': { example: JSON.parse(example.json) } }
  const content = stream === undefined ? json : { 'text/event-stream': { example: stream.example } }
  return { [status]: { description: operation.summary, content } }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseArguments(USAGE)
  writeFileSync(file, await postmanCollection())
}
