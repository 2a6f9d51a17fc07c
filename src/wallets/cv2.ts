import { inspect } from 'node:util'

/** A card's security code, alive for one request. Whatever prints it prints a mask; only a gateway reveals it. */
export type Cv2 = { reveal(): string }

const MASK = '***'

/** undefined: not 3 or 4 digits. */
export function parseCv2(digits: string): Cv2 | undefined {
  if (!/^[0-9]{3,4}$/.test(digits)) return undefined
  const masked = {
    toString: () => MASK,
    toJSON: () => MASK,
    [inspect.custom]: () => MASK,
  }
  // The digits live in the closure alone: they are no property that something could walk to.
  return Object.freeze(Object.assign(Object.create(masked), { reveal: () => digits }) as Cv2)
}
