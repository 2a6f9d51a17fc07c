/** A longer line is not stored, and is refused. */
const MAX_LINE_LENGTH = 1024 * 1024

/** A null text: too long, or not UTF-8. */
export type Line = { readonly number: number; readonly text: string | null }

const utf8 = new TextDecoder('utf-8', { fatal: true })
const NEWLINE = 0x0a

/** The lines that each chunk of a stream completes, in constant memory. Blank lines have numbers too. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let number = 0
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      append(chunk.subarray(start, end))
      lines.push(finishLine())
      start = end + 1
    }
    append(chunk.subarray(start))
    yield lines
  }
  if (length > 0) yield [finishLine()]

  function append(piece: Buffer): void {
    length += piece.length
    if (length <= MAX_LINE_LENGTH) pieces.push(piece)
    else pieces = []
  }

  function finishLine(): Line {
    const [first] = pieces
    const bytes = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
    const text = length > MAX_LINE_LENGTH ? null : decoded(bytes)
    pieces = []
    length = 0
    return { number: ++number, text }
  }
}

function decoded(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
