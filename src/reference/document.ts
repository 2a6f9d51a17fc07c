// The operations of an OpenAPI document as the reference shows them. The document is the one that the service serves.

export type JsonSchema = { readonly [keyword: string]: unknown }

export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string; readonly summary: string }
  readonly servers: readonly [{ readonly url: string }]
  readonly tags: readonly Tag[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: OperationObject } }
  readonly components: {
    readonly securitySchemes: { readonly [name: string]: SecurityScheme }
    readonly examples?: { readonly [name: string]: { readonly value: unknown } }
    readonly responses?: { readonly [name: string]: ResponseObject }
    readonly schemas: { readonly [name: string]: JsonSchema }
    readonly 'x-faults'?: { readonly [kind: string]: FaultObject }
  }
  /** What texts with a pattern are called. */
  readonly 'x-types': { readonly [pattern: string]: string }
}

type Tag = { readonly name: string; readonly description: string; readonly 'x-displayName'?: string }
type SecurityScheme = { readonly type: 'apiKey' | 'http'; readonly in?: string; readonly name?: string }
/** `names`: the faultNames where every operation can answer with it. */
export type FaultObject = {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly names?: readonly string[]
}

type ParameterObject = {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
  /** It is required, in whichever of its places. */
  readonly 'x-required'?: true
}

type MediaType = {
  readonly schema?: JsonSchema
  readonly example?: unknown
  readonly examples?: { readonly [name: string]: { readonly value?: unknown } }
  /** The path of a file of the service that can be sent. */
  readonly 'x-example-path'?: string
  /** The types of the events of a stream, with their meaning. */
  readonly 'x-events'?: { readonly [type: string]: string }
}

export type ResponseObject = {
  readonly description: string
  readonly headers?: { readonly [name: string]: { readonly $ref?: string; readonly description?: string } }
  readonly content?: { readonly [mediaType: string]: MediaType }
  /** Its own faults, by kind, with their faultNames. */
  readonly 'x-faults'?: { readonly [kind: string]: readonly string[] }
}

type OperationObject = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly [string]
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly parameters?: readonly ParameterObject[]
  readonly requestBody?: { readonly required: boolean; readonly content: { readonly [mediaType: string]: MediaType } }
  readonly responses: { readonly [status: string]: ResponseObject & { readonly $ref?: string } }
  readonly externalDocs?: { readonly description: string; readonly url: string }
  readonly 'x-client-result'?: string
  readonly 'x-alias-of'?: string
  readonly 'x-locks-out'?: true
  readonly 'x-moves-money'?: true
  readonly 'x-audited'?: 'changes' | 'reads'
}

/** A parameter, wherever it is sent. `example` is what the sample sends, `typical` what a reader could. */
export type SentField = {
  readonly name: string
  readonly from: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example: string | undefined
  readonly typical: string
}

export type Response = ResponseObject & { readonly status: number; readonly isShared: boolean }

export type ReferenceOperation = Omit<OperationObject, 'parameters' | 'requestBody' | 'responses'> & {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly alsoAt: readonly string[]
  readonly fields: readonly SentField[]
  /** Other than a form. */
  readonly body: (MediaType & { readonly mediaType: string; readonly required: boolean }) | undefined
  readonly responses: readonly Response[]
  /** Whether answers are XML or JSON, as the caller chooses. */
  readonly isNegotiated: boolean
}

/** In the order of the document; an operation with several paths is one. */
export function operationsOf(document: OpenApi): ReferenceOperation[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, object]) => ({ path, method, object })),
  )
  const aliases = Map.groupBy(all, ({ object }) => object['x-alias-of'])
  const [{ url }] = document.servers
  const base = url.replace(/\/$/, '')
  return (aliases.get(undefined) ?? []).map(({ path, method, object }) => {
    const responses = responsesOf(document, object)
    return {
      ...object,
      name: object.operationId,
      method: method.toUpperCase(),
      path: base + path,
      alsoAt: (aliases.get(object.operationId) ?? []).map((alias) => base + alias.path),
      fields: fieldsOf(object),
      body: bodyOf(object),
      responses,
      isNegotiated: responses.some(({ content = {} }) => 'application/xml' in content),
    }
  })
}

const FORM = 'application/x-www-form-urlencoded'

function fieldsOf({ parameters = [], requestBody }: OperationObject): SentField[] {
  const form = (requestBody?.content[FORM]?.schema?.properties ?? {}) as { readonly [name: string]: JsonSchema }
  return [...Map.groupBy(parameters, ({ name }) => name)].map(([name, places]) => {
    const [{ description = '', schema, example, required, ...others }] = places as [ParameterObject]
    const { default: preset, enum: choices, examples } = schema as { [keyword: string]: readonly unknown[] }
    const typical = example ?? examples?.[0] ?? preset ?? choices?.find((choice) => choice !== '') ?? ''
    return {
      name,
      from: [...places.map((place) => place.in), ...(name in form ? ['form'] : [])].join(' or '),
      required: required || others['x-required'] === true,
      description,
      schema,
      example: example === undefined ? undefined : String(example),
      typical: String(typical),
    }
  })
}

function bodyOf({ requestBody }: OperationObject): ReferenceOperation['body'] {
  if (requestBody === undefined || FORM in requestBody.content) return undefined
  const types = Object.entries(requestBody.content)
  const [mediaType, content] =
    types.find(([, one]) => one['x-example-path'] !== undefined) ?? (types[0] as [string, MediaType])
  return { ...content, mediaType, required: requestBody.required }
}

function responsesOf(document: OpenApi, { responses }: OperationObject): Response[] {
  return Object.entries(responses).map(([status, { $ref, ...own }]) => {
    const shared = document.components.responses?.[$ref?.split('/').at(-1) ?? '']
    return { ...(shared ?? own), status: Number(status), isShared: shared !== undefined }
  })
}

/** The schema itself where it is a reference to one. */
export function resolved(document: OpenApi, schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  return resolved(document, document.components.schemas[schema.$ref.split('/').at(-1) as string] as JsonSchema)
}

/** Successful answers. */
export function answersOf({ responses }: ReferenceOperation): Response[] {
  return responses.filter(({ status }) => status < 300)
}
