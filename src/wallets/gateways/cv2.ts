import { inspect } from 'node:util'

/** A card's security code, for one request. Printing it gives a mask; only gateways call `reveal`. */
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
  // Only the closure holds the digits: no property leads to them.
  return Object.freeze(Object.assign(Object.create(masked), { reveal: () => digits }) as Cv2)
}
