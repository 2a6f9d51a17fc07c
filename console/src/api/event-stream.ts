// Reads server-sent events with fetch: the browser's EventSource cannot send the token of the console.

/** Resolves when the stream ends; rejects when it breaks. */
export async function readEvents(response: Response, onEvent: (type: string, data: unknown) => void): Promise<void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const type = /^event: (.*)$/m.exec(frame)?.[1]
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (type !== undefined && data !== undefined) onEvent(type, JSON.parse(data))
    }
  }
}
