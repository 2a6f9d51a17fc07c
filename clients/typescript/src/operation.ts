import type { Decode } from './scalars.ts'

/** A row of the generated table: method and path below `/v1/`, what the answer means, and what is special about it. */
export type Row = readonly [call: string, answer?: Decode | null, more?: More]

export type More = {
  /** The path as the operation list of the original API has it. */
  readonly originalPath?: string
  /** In the original API the application key of this operation may be in the query string. */
  readonly keyInQuery?: true
  /** Neither key, secret nor ticket are sent. */
  readonly open?: true
  /** The ticket is not sent. */
  readonly noTicket?: true
  /** The parameters are sent as a form, so that they stand in no address. */
  readonly form?: true
  /** Parameters that are sent as headers: by name, the header. */
  readonly headers?: { readonly [name: string]: string }
  /** The parameter that is the body. */
  readonly body?: string
  /** It must not be repeated when its answer was lost. */
  readonly once?: true
  /** What an answer without a body stands for, as JSON. */
  readonly empty?: unknown
  readonly blocks?: Blocks
  readonly stream?: true
}

/** Of a list in blocks: the number of the first and the last block, and the field that holds the items. */
export type Blocks = { readonly first: number; readonly last: number; readonly items?: string }

export type Operation = More & { readonly method: string; readonly path: string; readonly answer: Decode | null }

export function operationOf([call, answer = null, more]: Row): Operation {
  const [method = '', path = ''] = call.split(' ')
  return { ...more, method, path, answer }
}

export type Values = { readonly [name: string]: unknown }
