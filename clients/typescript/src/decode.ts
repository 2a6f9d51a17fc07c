// Turns the JSON of an answer, in which every scalar is a string, into the values that the types of `generated/answers.ts` describe.
// Most fields mean the same in every answer; a record names those that do not.

import { fieldKinds } from './generated/fields.ts'
import { conventionOf, type Decode, type ScalarName, scalars } from './scalars.ts'

/** Fields that are absent stay absent, but for lists. */
export function record(own: { readonly [name: string]: Decode } = {}): Decode {
  return (wire) => {
    if (typeof wire !== 'object' || wire === null) return wire
    const value: { [name: string]: unknown } = {}
    for (const name of Object.keys({ ...wire, ...own })) {
      const field = (wire as { [name: string]: unknown })[name]
      const decoded = (own[name] ?? decoderOf(name, field))(field)
      if (decoded !== undefined) value[name] = decoded
    }
    return value
  }
}

const plain = record()
const exceptions = new Map(
  Object.entries(fieldKinds).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as ScalarName] as const),
  ),
)

function decoderOf(name: string, field: unknown): Decode {
  return typeof field === 'object' ? plain : scalars[exceptions.get(name) ?? conventionOf(name)]
}

/** Repeated nodes: an object when there is one, an array when there are several, nothing when there is none. */
export function many(item: Decode = plain): Decode {
  return (wire) => [wire ?? []].flat().map((one) => item(one))
}

/** An array of objects with one key each. */
export function entries(item: Decode = plain): Decode {
  return many((entry) => item(only(entry)))
}

/** The single entry of a list. */
export function first(item: Decode = plain): Decode {
  return (wire) => item(only((wire as unknown[])[0]))
}

/** The only field of an object. */
export function inside(decode: Decode = plain): Decode {
  return (wire) => decode(only(wire))
}

function only(wire: unknown): unknown {
  return wire === undefined ? undefined : Object.values(wire as object)[0]
}
