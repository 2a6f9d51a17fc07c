export type Target = { readonly method: string; readonly path: string }
export type FieldValue = { readonly name: string; readonly from: string; readonly value: string }
export type Headers = readonly (readonly [name: string, value: string])[]
export type BuiltRequest = {
  readonly method: string
  readonly address: string
  readonly headers: Headers
  readonly body: string
}

/** `result` is the name of what the call answers: '' for nothing, `event` for the loop over a stream. */
export type ClientTarget = { readonly operation: string; readonly result: string }
/** `client` is the name that the client gives the parameter. */
export type ClientField = {
  readonly client: string
  readonly kind: 'boolean' | 'number' | 'string'
  readonly value: string
}

export const TOKEN_VARIABLE: string
export function buildRequest(target: Target, fields: readonly FieldValue[], credentials: Headers): BuiltRequest
export function curlLine(request: BuiltRequest, origin: string, picture: string): string
export function clientCall(
  target: ClientTarget,
  fields: readonly ClientField[],
  origin: string,
  picture: string,
): string
export function prettyXml(text: string): string
export function prettyJson(text: string): string
export function languageOf(contentType: string): 'json' | 'xml' | ''
export function prettyBody(text: string, language: 'json' | 'xml' | ''): string
export function faultOf(text: string): string | null
