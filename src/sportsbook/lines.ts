/** A longer line is not stored, and is refused. */
const LONGEST_LINE = 1024 * 1024

export type Line = { number: number; text: string | null }

const utf8 = new TextDecoder('utf-8', { fatal: true })
const NEWLINE = 0x0a

/** The lines of a stream, one at a time, in constant memory. A null text: too long, or not UTF-8. Blank lines have numbers too. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      append(chunk.subarray(start, end))
      yield finishLine()
      start = end + 1
    }
    append(chunk.subarray(start))
  }
  if (length > 0) yield finishLine()

  function append(piece: Buffer): void {
    length += piece.length
    if (length <= LONGEST_LINE) pieces.push(piece)
    else pieces = []
  }

  function finishLine(): Line {
    const text = length > LONGEST_LINE ? null : decoded(Buffer.concat(pieces))
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
