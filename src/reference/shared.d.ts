export type Target = { readonly method: string; readonly path: string; readonly ticketRule: string }
export type FieldValue = { readonly name: string; readonly from: string; readonly value: string }
export type Credentials = { readonly key: string; readonly secret: string; readonly ticket: string }
export type BuiltRequest = {
  readonly method: string
  readonly address: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly form: string
}

export function buildRequest(
  target: Target,
  fields: readonly FieldValue[],
  credentials: Credentials,
  accept: string,
): BuiltRequest
export function curlLine(request: BuiltRequest, origin: string, picture: string): string
export function prettyXml(text: string): string
export function prettyJson(text: string): string
