import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, isOverTls } from '../../src/http/proxies.ts'
import { addressList } from '../../src/runtime/addresses.ts'

const trusted = addressList(['10.0.0.1', '10.1.0.0/16', 'fd00::/8'])

test.each([
  ['a trusted proxy that says so', '10.0.0.1', 'https', false, true],
  ['one of a trusted network', '10.1.2.3', 'https', false, true],
  ['one that is written as IPv6', '::ffff:10.0.0.1', 'https', false, true],
  ['one of an IPv6 network', 'fd12::1', 'https', false, true],
  ['the last of several who wrote', '10.0.0.1', 'http, https', false, true],
  ['others than the last, who may be anybody', '10.0.0.1', 'https, http', false, false],
  ['a trusted proxy that says otherwise', '10.0.0.1', 'http', true, false],
  ['a trusted proxy that says nothing', '10.0.0.1', undefined, false, false],
  ['TLS to us', '192.0.2.7', undefined, true, true],
  ['somebody else who says so', '192.0.2.7', 'https', false, false],
  ['somebody else who says otherwise over TLS', '192.0.2.7', 'http', true, true],
  ['a connection that is gone', undefined, 'https', false, false],
])('%s', (_who, remoteAddress, told, encrypted, expected) => {
  const request = { socket: { remoteAddress, encrypted }, headers: { 'x-forwarded-proto': told } }
  expect(isOverTls(request as unknown as IncomingMessage, trusted)).toBe(expected)
  if (told === undefined) expect(isOverTls(request as unknown as IncomingMessage, null)).toBe(encrypted)
})

test.each([
  ['who comes directly', '192.0.2.7', undefined, '192.0.2.7'],
  ['who comes directly and says otherwise', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['who comes through a proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['who comes through two of ours', '10.0.0.1', '198.51.100.1, 10.1.0.9', '198.51.100.1'],
  ['who writes more than the proxy', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['a proxy that says nothing', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy that says what is no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['IPv4 through IPv6', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ['a connection that is gone', undefined, undefined, ''],
])('the address of %s', (_who, remoteAddress, forwarded, expected) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }
  expect(clientAddress(request as unknown as IncomingMessage, trusted)).toBe(expected)
})
