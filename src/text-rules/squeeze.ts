/** A word whose runs of one letter are squeezed to a single one; run k goes from starts[k] to starts[k + 1]. */
export type Squeezed = { key: string; starts: readonly number[]; length: number }

/** Where no letter is doubled, each is a run of its own. Shared, because most words have no doubled letter. */
const SINGLE_STARTS = Array.from({ length: 128 }, (_, at) => at)

export function squeeze(text: string): Squeezed {
  const { length } = text
  if (length < SINGLE_STARTS.length && !hasDoubled(text)) return { key: text, starts: SINGLE_STARTS, length }
  const starts: number[] = []
  let key = ''
  for (let i = 0; i < text.length; i++) {
    if (i > 0 && text[i] === text[i - 1]) continue
    starts.push(i)
    key += text[i]
  }
  starts.push(length)
  return { key, starts, length }
}

function hasDoubled(text: string): boolean {
  for (let i = 1; i < text.length; i++) if (text.charCodeAt(i) === text.charCodeAt(i - 1)) return true
  return false
}

/** Two characters as one number: a cheaper key than a string. */
export function pairKey(key: string, at: number): number {
  return key.charCodeAt(at) * 65_536 + key.charCodeAt(at + 1)
}
