// A DNS server on 127.0.0.1 that answers as the test says.

import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'

/** The addresses of a name, of both kinds. undefined: there is no such name. */
type Answers = (name: string, asked: number) => readonly string[] | undefined

/** The type of questions for IPv4; the only others are for IPv6. */
const A = 1
const NO_SUCH_NAME = 3

export type DnsServer = {
  readonly address: string
  /** The questions so far, like `A example.com`. */
  readonly questions: string[]
  close(): void
}

/** `asked` counts the questions for the same name and kind, from 0. */
export async function startDnsServer(answers: Answers): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const question = `${type === A ? 'A' : 'AAAA'} ${name}`
    const asked = questions.filter((one) => one === question).length
    questions.push(question)
    const found = answers(name, asked)
    const records = (found ?? []).filter((one) => isIPv4(one) === (type === A)).map((one) => record(type, one))
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (found === undefined ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, questions, close: () => socket.close() }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Points to the name of the question, lives for no time. */
function record(type: number, address: string): Buffer {
  const data = type === A ? Buffer.from(address.split('.').map(Number)) : bytesOf(address)
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([head, data])
}

function bytesOf(address: string): Buffer {
  const [before = '', after] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [groups(before), groups(after ?? '')]
  const all = [...first, ...new Array(8 - first.length - last.length).fill(0), ...last]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}
