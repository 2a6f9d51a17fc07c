/** Letters that do not decompose into a Latin letter and an accent. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
}

/**
 * A name in the characters that Adyen takes for the holder of a card: Latin letters without accents, hyphen, dot, slash and space.
 * null: nothing of the name is left.
 */
export function latinName(name: string): string | null {
  const letters = [...name.normalize('NFKD')].map((letter) => LATIN[letter] ?? letter).join('')
  const taken = letters
    .replace(/[^A-Za-z\-./ ]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  return /[A-Za-z]/.test(taken) ? taken : null
}
