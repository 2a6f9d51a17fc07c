import { lastLine } from './frames.ts'
import { type EndReason, isOver, type OpenStreams, type Stream } from './open-streams.ts'

/** Of earlier events, beyond what the operating system buffers. */
const MOST_UNREAD_BYTES = 64 * 1024

/** A client that reads too slowly is disconnected: it resumes when it can. */
export function send(open: OpenStreams, stream: Stream, text: string): void {
  if (isOver(stream)) return
  if (stream.response.writableLength > MOST_UNREAD_BYTES) end(open, stream, 'slow')
  else stream.response.write(text)
}

export function end(open: OpenStreams, stream: Stream, reason: EndReason): void {
  open.remove(stream, reason)
  // Nobody waits for one whose client does not read.
  if (stream.response.writableLength > 0) stream.response.destroy()
  else stream.response.end(reason === 'closing' ? lastLine() : '')
}
