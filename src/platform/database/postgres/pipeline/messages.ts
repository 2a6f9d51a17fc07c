// The messages that run a prepared statement, in one buffer. pg writes each message separately, which is three passes
// through Node's streams.
// https://www.postgresql.org/docs/current/protocol-message-formats.html

const BIND = 'B'.charCodeAt(0)
const NULL_LENGTH = -1

/** For the unnamed portal: describe its columns, execute it for all rows, end the series of messages. */
const DESCRIBE = Buffer.from('D\0\0\0\x06P\0', 'latin1')
const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
const SYNC = Buffer.from('S\0\0\0\x04', 'latin1')

type Run = {
  readonly name: string
  readonly values: readonly (string | null)[]
  /** Requests a description of the columns first. */
  readonly describes: boolean
  /** Ends the series: the server answers now. */
  readonly syncs: boolean
}

/** Parameters and results are text. */
export function runMessage({ name, values, describes, syncs }: Run): Buffer {
  const nameBytes = Buffer.byteLength(name)
  const lengths = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)))
  // The length itself, the portal, the name, the parameters' formats (none) and number, the result's formats (none).
  let bindLength = 4 + 1 + nameBytes + 1 + 2 + 2 + 2
  for (const length of lengths) bindLength += 4 + length
  const after = [...(describes ? [DESCRIBE] : []), EXECUTE, ...(syncs ? [SYNC] : [])]
  let size = 1 + bindLength
  for (const { length } of after) size += length

  const message = Buffer.allocUnsafe(size)
  let at = message.writeUInt8(BIND, 0)
  at = message.writeInt32BE(bindLength, at)
  at = message.writeUInt8(0, at)
  at += message.write(name, at)
  at = message.writeUInt8(0, at)
  at = message.writeInt16BE(0, at)
  at = message.writeInt16BE(values.length, at)
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as string | null
    at = message.writeInt32BE(value === null ? NULL_LENGTH : (lengths[index] as number), at)
    if (value !== null) at += message.write(value, at)
  }
  at = message.writeInt16BE(0, at)
  for (const part of after) at += part.copy(message, at)
  return message
}
