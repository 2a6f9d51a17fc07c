import { describe, expect, test } from 'vitest'
import { parseTraceparent, parseTracestate, traceparentOf } from '../../src/platform/tracing/trace-context.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

describe('traceparent', () => {
  test.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-ff`, true],
    // Of a later version, what is known is read.
    [`cc-${TRACE}-${SPAN}-01`, true],
    [`cc-${TRACE}-${SPAN}-03-what-else`, true],
    [`cc-${TRACE}-${SPAN}-00-`, false],
  ])('%s is read', (header, isSampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled })
  })

  test.each([
    '',
    '00',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-0g`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN.toUpperCase()}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}0-${SPAN}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])('"%s" is ignored', (header) => {
    expect(parseTraceparent(header)).toBeNull()
  })

  test('is written as it is read', () => {
    expect(parseTraceparent(traceparentOf(TRACE, SPAN))).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true })
  })
})

describe('tracestate', () => {
  test.each([
    ['rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    [' a=1 ,\t, b=2,', 'a=1,b=2'],
    ['fw529a3039@dt=FfAAAAAAA', 'fw529a3039@dt=FfAAAAAAA'],
    ['a=1 2', 'a=1 2'],
    ['', ''],
  ])('"%s" is passed on', (header, passedOn) => {
    expect(parseTracestate(header)).toBe(passedOn)
  })

  test.each([
    'a',
    'a=',
    '=1',
    'A=1',
    'a=1=2',
    'a=\u00e9',
    'a=1,a=2',
    'a@=1',
    '@a=1',
    `${'a'.repeat(257)}=1`,
    `a=${'1'.repeat(257)}`,
    Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(','),
  ])('"%s" is ignored', (header) => {
    expect(parseTracestate(header)).toBe('')
  })

  test('is shortened to 512 characters by its long members first, then by its last ones', () => {
    const long = `long=${'x'.repeat(150)}`
    const members = Array.from({ length: 8 }, (_, index) => `k${index}=${'y'.repeat(70)}`)
    expect(parseTracestate([members[0], long, ...members.slice(1)].join(','))).toBe(members.slice(0, 6).join(','))
    expect(parseTracestate([long, members[0]].join(','))).toBe([long, members[0]].join(','))
  })
})
