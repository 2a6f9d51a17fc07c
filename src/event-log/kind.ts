// How a kind of event is declared: what is reported, about which subject, and with which data. Each domain declares its own in an
// `event-kinds.ts`; operator/events/event-kinds.ts puts them together. Rows are written by triggers (migrations/schema.*.txt) and by the
// statements that import `store.ts`.
//
// Data are ids and figures. Never a text that a customer wrote, never card data.

import { object, type Schema, stringOf, type ValueOf } from '../http/representation/json-schema.ts'

export const SUBJECT_TYPES = ['profile', 'comment', 'market', 'deposit', 'customer'] as const
export type SubjectType = (typeof SUBJECT_TYPES)[number]

type EventKind = { readonly meaning: string; readonly subjects: readonly SubjectType[]; readonly data: Schema }
export type EventKinds = { readonly [kind: string]: EventKind }

export type KindIn<Kinds extends EventKinds> = keyof Kinds & string
export type EventData<Kind extends EventKind> = ValueOf<Kind['data']>

export const kindOf =
  <const Subjects extends readonly SubjectType[]>(...subjects: Subjects) =>
  <Data extends Schema>(meaning: string, data: Data) => ({ meaning, subjects, data })

export const id = (example: string, description: string) => stringOf({ pattern: '^[0-9]+$' }, example, description)
export const noData = object({})
export const byProfile = object({ byProfileId: id('2', 'The profile that did it.') })

/** The kinds that a reader needs. */
export function pick<Kinds extends EventKinds, Name extends KindIn<Kinds>>(
  kinds: Kinds,
  ...names: readonly Name[]
): Pick<Kinds, Name> {
  return Object.fromEntries(names.map((name) => [name, kinds[name]])) as Pick<Kinds, Name>
}
