// A client that does not read: what waits for it is the newest state of each subject, over a real connection.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { Stream } from '../../src/streams/public/open-streams.ts'
import { outbox, stateBoard } from '../../src/streams/public/state-board.ts'

const server = createServer()
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('gets the newest state when it reads again, and none of those before', async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1')
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const viewer = { application: '', customerId: 1, ticket: '', profileId: 1 }
  const stream: Stream = { ...viewer, outcomes: [1, 2], account: false, response, after: 0, live: true }
  const box = outbox()
  const board = stateBoard('outcome', box)
  for (const id of stream.outcomes) board.watch(stream, id)
  const told = (number: number) => ({ number, filling: 'x'.repeat(32_000) })
  let number = 0
  // Until the buffers of the operating system are full too.
  while (!response.writableNeedDrain) {
    board.publish(1, told(++number))
    box.flush()
    await new Promise(setImmediate)
  }
  const unread = number
  for (let more = 0; more < 500; more++) {
    board.publish(1, told(++number))
    board.publish(2, told(number))
    box.flush()
  }
  expect(response.writableLength).toBeLessThan(1_000_000)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.resume()
  const numbers = () => [...text.matchAll(/"number":(\d+)/g)].map(([, found]) => Number(found))
  const flushed = () => {
    box.flush()
    return numbers().slice(unread)
  }
  await expect.poll(flushed, { interval: 20 }).toEqual([number, number])
  expect(numbers().slice(0, unread)).toEqual(Array.from({ length: unread }, (_, index) => index + 1))
  socket.destroy()
})
