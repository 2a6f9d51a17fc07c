import type { ServerResponse } from 'node:http'
import { lastLine } from './frames.ts'
import { type EndReason, isOver, type OpenStreams, type Stream } from './open-streams.ts'

/** Bytes of earlier events, beyond what the operating system buffers. */
const MAX_UNREAD_BYTES = 64 * 1024

/** A client that reads too slowly is disconnected: it resumes when it can. */
export function send(open: OpenStreams, stream: Stream, text: string): void {
  if (!isOver(stream) && !writeUnlessSlow(stream.response, text)) end(open, stream, 'slow')
}

/** false: it is no longer connected. */
export function writeUnlessSlow(response: ServerResponse, text: string): boolean {
  if (response.writableEnded || response.destroyed) return false
  if (response.writableLength <= MAX_UNREAD_BYTES) {
    response.write(text)
    return true
  }
  response.destroy()
  return false
}

export function end(open: OpenStreams, stream: Stream, reason: EndReason): void {
  open.remove(stream, reason)
  if (stream.response.destroyed) return
  // Nobody waits for one whose client does not read.
  if (stream.response.writableLength > 0) stream.response.destroy()
  else stream.response.end(reason === 'closing' ? lastLine() : '')
}

export function endAll(open: OpenStreams, reason: EndReason): void {
  for (const stream of open.all()) end(open, stream, reason)
}
