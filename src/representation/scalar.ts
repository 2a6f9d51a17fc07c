import type { ScalarKind } from './shape.ts'

/** How each kind of scalar is written, before escaping. Only `text` can hold characters that need escaping. */
export const scalarText: { [K in ScalarKind]: (value: never) => string } = {
  integer: (value: number) => `${value}`,
  signedInteger: (value: number) => `${value}`,
  decimal: (value: string) => value,
  fraction: (value: string) => value,
  text: (value: string) => value,
  yesNo: (value: boolean) => (value ? 'Y' : 'N'),
  dateTime: (value: number) => zonedDateTime(value),
  status: (value: string) => value,
}

/** `2026-11-15T09:30:00.000+00:00`: an offset, never `Z`. */
export function zonedDateTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}+00:00`
}
