import type { Decode } from './scalars.ts'

/** The generated table: rows by the beginning of their paths and the names of their operations. */
export type Table = { readonly [beginning: string]: { readonly [name: string]: Row } }

/** `METHOD path flag flag`, what the answer means, and what is special about it. */
export type Row = readonly [call: string, answer?: Decode | null, more?: More]

export type Flags = {
  /** In the original API the application key of this operation may be in the query string. */
  readonly keyInQuery?: boolean
  /** Neither key, secret nor ticket are sent. */
  readonly open?: boolean
  /** The ticket is not sent. */
  readonly noTicket?: boolean
  /** The parameters are sent as a form, so that they stand in no address. */
  readonly form?: boolean
  /** It must not be repeated when its answer was lost. */
  readonly once?: boolean
  /** It takes an idempotency key, and gets one in any case: repeating it cannot charge twice. */
  readonly keyed?: boolean
  readonly stream?: boolean
  /** It answers in blocks, which are numbered from 0 without a last one. */
  readonly from0?: boolean
  /** It answers in blocks, from 1 to 100. */
  readonly from1?: boolean
}

export type More = {
  /** The rest of the path as the operation list of the original API has it. */
  readonly originalPath?: string
  /** The parameter that is the body. */
  readonly body?: string
  /** What an answer without a body stands for, as JSON. */
  readonly empty?: unknown
  /** The field that holds the items of a list in blocks. */
  readonly items?: string
}

export type Operation = Flags &
  More & {
    readonly name: string
    readonly method: string
    readonly path: string
    /** `raw`: the whole document, as it is. */
    readonly answer: Decode | 'raw' | null
  }

export function operationsOf(table: Table): Operation[] {
  return Object.entries(table).flatMap(([beginning, rows]) =>
    Object.entries(rows).map(([name, [call, answer = null, { originalPath, ...more } = {}]]) => {
      const [method = '', path = '', ...flags] = call.split(' ')
      const whole = (rest: string) => `/v1/${beginning}${rest}`
      return {
        ...more,
        ...Object.fromEntries(flags.map((flag) => [flag, true])),
        originalPath: whole(originalPath ?? path),
        name,
        method,
        path: whole(path),
        answer,
      }
    }),
  )
}

export type Values = { readonly [name: string]: unknown }
