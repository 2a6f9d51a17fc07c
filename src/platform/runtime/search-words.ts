// The words of a text as search compares them. They are made here for both engines, which only store and look them up, so
// that both find the same.

/** Longer words are cut, in texts and in queries. */
export const MAX_WORD_LENGTH = 40

/** Each word once: without marks, in lower case. */
export function searchWords(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
  // Lower case and NFKD are not closed under each other.
  const letters = plain.normalize('NFKD').replace(/\p{M}/gu, '')
  const words = letters.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [...new Set(words.map((word) => [...word].slice(0, MAX_WORD_LENGTH).join('')))]
}

/** As they are stored: each after a space, so that `like '% word%'` finds the words that begin so. */
export function storedWords(text: string): string {
  return searchWords(text)
    .map((word) => ` ${word}`)
    .join('')
}
