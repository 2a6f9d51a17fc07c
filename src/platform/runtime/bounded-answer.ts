// Answers of other services, up to a size: one without an end would take all memory. Counted after decompression.

export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
}

export async function boundedBytes(response: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw new AnswerTooLong(`The answer is longer than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function boundedText(response: Response, mostBytes: number): Promise<string> {
  return (await boundedBytes(response, mostBytes)).toString()
}

/** For libraries that read the answer themselves. */
export function boundedFetch(mostBytes: number): (url: string | URL, request: RequestInit) => Promise<Response> {
  return async (url, request) => {
    const response = await fetch(url, request)
    const text = await boundedText(response, mostBytes)
    const headers = { 'content-type': response.headers.get('content-type') ?? '' }
    return new Response(text === '' ? null : text, { status: response.status, headers })
  }
}
