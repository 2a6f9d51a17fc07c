export type Decode = (wire: unknown) => unknown

function present(decode: Decode): Decode {
  return (wire) => (wire === undefined ? undefined : decode(wire))
}

export const scalars = {
  asIs: (wire: unknown) => wire,
  integer: present(Number),
  yesNo: present((wire) => wire === 'Y'),
  /** A day becomes its midnight in UTC. */
  time: present((wire) => new Date(wire as string)),
  /** `2026-11-15 09:30:00`, in UTC. */
  utcTime: present((wire) => new Date(`${(wire as string).replace(' ', 'T')}Z`)),
}

export type ScalarName = keyof typeof scalars

/** What the service's names of fields say; `generated/fields.ts` has the exceptions. */
const CONVENTIONS: readonly (readonly [RegExp, ScalarName])[] = [
  [/^num[A-Z]|^id$|[a-z]Id$/, 'integer'],
  [/^is[A-Z]/, 'yesNo'],
  [/DateTimeZoned$/i, 'time'],
]

export function conventionOf(field: string): ScalarName {
  return CONVENTIONS.find(([pattern]) => pattern.test(field))?.[1] ?? 'asIs'
}
