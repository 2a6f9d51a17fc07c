// States that streams watch: of each subject (an outcome, an event, an account) only the newest is kept and reported. A client that
// reads slowly gets the newest one when it has read the last: nothing queues for it.

import { stateFrame } from './frames.ts'
import { isOver, type Stream } from './open-streams.ts'

/** What waits to be written to each stream, by its subject. */
export type Outbox = ReturnType<typeof outbox>

export function outbox() {
  const waiting = new Map<Stream, Map<string, string>>()
  return {
    /** Replaces what waits for the same key. */
    put(stream: Stream, key: string, text: string): void {
      const texts = waiting.get(stream)
      if (texts === undefined) waiting.set(stream, new Map([[key, text]]))
      else texts.set(key, text)
    },
    /** Writes to all streams whose client has read what was written before. */
    flush(): void {
      for (const [stream, texts] of waiting) {
        if (!isOver(stream) && (!stream.live || stream.response.writableNeedDrain)) continue
        waiting.delete(stream)
        if (!isOver(stream)) stream.response.write([...texts.values()].join(''))
      }
    },
  }
}

type Subject = { text: string; readonly streams: Set<Stream> }

/** The subjects of one type that any stream of this process watches. */
export function stateBoard(type: string, { put }: Outbox) {
  const subjects = new Map<number, Subject>()
  return {
    ids: (): number[] => [...subjects.keys()],
    streamsOf: (id: number): ReadonlySet<Stream> => subjects.get(id)?.streams ?? NONE,
    /** The stream gets the current state, now or when it is read. */
    watch(stream: Stream, id: number): void {
      const subject = subjects.get(id) ?? { text: '', streams: new Set() }
      subjects.set(id, subject)
      if (subject.streams.has(stream)) return
      subject.streams.add(stream)
      if (subject.text !== '') put(stream, `${type} ${id}`, subject.text)
    },
    leave(stream: Stream, id: number): void {
      const subject = subjects.get(id)
      subject?.streams.delete(stream)
      // A state that nobody watches is not read any more, and would be old when somebody comes.
      if (subject?.streams.size === 0) subjects.delete(id)
    },
    /** Sends the state to all who watch it, if it differs from the last. */
    publish(id: number, state: object): void {
      const subject = subjects.get(id)
      const text = stateFrame(type, state)
      if (subject === undefined || subject.text === text) return
      subject.text = text
      for (const stream of subject.streams) put(stream, `${type} ${id}`, text)
    },
  }
}

const NONE: ReadonlySet<Stream> = new Set()
