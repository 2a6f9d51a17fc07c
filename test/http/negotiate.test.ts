import { expect, test } from 'vitest'
import { acceptsStream } from '../../src/http/answers/negotiate.ts'

test.each([
  ['text/event-stream', true],
  ['text/html , Text/Event-Stream ; q=0.5', true],
  ['text/event-stream;q=.1', true],
  ['text/event-stream;charset=utf-8', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream ; q = 0.000', false],
  ['text/event-streams', false],
  ['text/html', false],
  ['', false],
  [undefined, false],
  [`text/event-stream${' '.repeat(15_700)}x`, false],
])('a stream is accepted with Accept: %.60s: %s', (accept, isAccepted) => {
  expect(acceptsStream(accept)).toBe(isAccepted)
})
