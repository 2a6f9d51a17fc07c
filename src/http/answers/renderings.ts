// Answers whose value is served again: written once in each representation, with an ETag.

import { hash } from 'node:crypto'
import type { Writer, Written } from '../representation/compile.ts'
import type { Representation } from './negotiate.ts'

export type Rendering = { readonly body: Written; readonly etag: string }

export type Renderings = (value: object, representation: Representation) => Rendering

/** By identity: a handler that returns the same object again is answered with the same text. */
export function renderings(writers: Readonly<Record<Representation, Writer>>): Renderings {
  const known = new WeakMap<object, Partial<Record<Representation, Rendering>>>()
  return (value, representation) => {
    const ofValue = known.get(value) ?? {}
    known.set(value, ofValue)
    ofValue[representation] ??= render(writers[representation], value)
    return ofValue[representation]
  }
}

/** The same in every process, as it depends on the text alone. */
function render(writer: Writer, value: object): Rendering {
  const body = writer.measured(value as never)
  return { body, etag: `"${hash('sha256', body.text, 'base64url').slice(0, 22)}"` }
}
