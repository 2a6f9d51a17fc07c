export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const WIDTH = 110

/** A documentation comment, or nothing. */
export function commentOf(...paragraphs: (string | undefined)[]): string {
  const lines = paragraphs.flatMap((text) => (text === undefined || text === '' ? [] : wrapped(text)))
  if (lines.length === 0) return ''
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.replaceAll('*/', '* /').split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
