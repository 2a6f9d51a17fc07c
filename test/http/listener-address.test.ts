import { expect, test } from 'vitest'
import { addressOf } from '../../src/http/connection/listener-address.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['::1', 'http://[::1]:8080'],
  ['paddock.example', 'http://paddock.example:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
])('a listener on %s is shown as %s, which can be opened', (host, address) => {
  expect(addressOf({ host, tls: null }, 8080)).toBe(address)
})
