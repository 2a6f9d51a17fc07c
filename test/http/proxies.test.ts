import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, clientNetwork, isOverTls } from '../../src/http/connection/proxies.ts'
import { addressList } from '../../src/platform/runtime/addresses.ts'

const trusted = addressList(['10.0.0.1', '10.1.0.0/16', 'fd00::/8'])

test.each([
  ['a trusted proxy that sends https', '10.0.0.1', 'https', false, true],
  ['a proxy in a trusted network', '10.1.2.3', 'https', false, true],
  ['a trusted proxy with an IPv4-mapped address', '::ffff:10.0.0.1', 'https', false, true],
  ['a proxy in a trusted IPv6 network', 'fd12::1', 'https', false, true],
  ['the last of several values', '10.0.0.1', 'http, https', false, true],
  ['a value before the last, which anybody may have sent', '10.0.0.1', 'https, http', false, false],
  ['a trusted proxy that sends http', '10.0.0.1', 'http', true, false],
  ['a trusted proxy that sends nothing', '10.0.0.1', undefined, false, false],
  ['a TLS connection to the service', '192.0.2.7', undefined, true, true],
  ['another client that sends https', '192.0.2.7', 'https', false, false],
  ['another client that sends http over TLS', '192.0.2.7', 'http', true, true],
  ['a closed connection', undefined, 'https', false, false],
])('tells whether the client used TLS: %s', (_who, remoteAddress, forwardedProto, encrypted, expected) => {
  const request = { socket: { remoteAddress, encrypted }, headers: { 'x-forwarded-proto': forwardedProto } }
  expect(isOverTls(request as unknown as IncomingMessage, trusted)).toBe(expected)
  if (forwardedProto === undefined) expect(isOverTls(request as unknown as IncomingMessage, null)).toBe(encrypted)
})

test.each([
  ['a direct client', '192.0.2.7', undefined, '192.0.2.7'],
  ['a direct client that sends another address', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['a client behind a trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a client behind two trusted proxies', '10.0.0.1', '198.51.100.1, 10.1.0.9', '198.51.100.1'],
  ['a client that sends an address before the proxy’s', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['a proxy that sends no address', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy that sends a malformed address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['a client with an IPv4-mapped address', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ['a closed connection', undefined, undefined, ''],
])('the address of %s', (_who, remoteAddress, forwarded, expected) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }
  expect(clientAddress(request as unknown as IncomingMessage, trusted)).toBe(expected)
})

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2/64'],
  ['2001:db8::1', '2001:db8:0:0/64'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
])('for limits the address %s counts as %s', (forwarded, expected) => {
  const request = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': forwarded } }
  expect(clientNetwork(request as unknown as IncomingMessage, trusted)).toBe(expected)
})
