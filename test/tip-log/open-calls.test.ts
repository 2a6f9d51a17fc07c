// Callers without credentials have limits of their own: they cannot stop applications, nor one of them the others.

import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'

const service = useService({
  LOG_LEVEL: 'silent',
  RATE_LIMIT_PER_SECOND: '10',
  RATE_LIMIT_PER_MINUTE: '12',
  TRUST_PROXY: '127.0.0.1',
})

const statusFor = async (address: string, path = '') => {
  const options = { key: null, secret: null, headers: { 'x-forwarded-for': address } }
  const { status, headers } = await service.call('GET', `/v1/communities/log${path}`, options)
  return status === 429 ? `429 after ${headers.get('retry-after')}` : `${status}`
}

test('one address has a fifth of the limit, all together the limit of one application', async () => {
  service.clock.hold()
  const second = Math.floor(service.clock.now() / 1000) % 60
  const statuses = async (address: string, count: number) => {
    const seen: string[] = []
    for (let number = 0; number < count; number++) seen.push(await statusFor(address))
    return seen
  }
  expect(await statuses('192.0.2.1', 4)).toEqual(['200', '200', '429 after 1', '429 after 1'])
  for (const other of [2, 3, 4, 5]) expect(await statuses(`192.0.2.${other}`, 2)).toEqual(['200', '200'])
  expect(await statusFor('192.0.2.6')).toBe('429 after 1')
  const application = await service.call('GET', '/v1/profiles/1')
  expect(application.status).toBe(404)
  // The next second has what is left of the minute, if it is in the same minute.
  service.clock.advance(1_000)
  if (second < 59) expect(await statusFor('192.0.2.1')).toBe('200')
})

test('all addresses of an IPv6 network are one', async () => {
  service.clock.hold()
  service.clock.advance(60_000 - (service.clock.now() % 60_000))
  const statuses: string[] = []
  for (const host of [1, 2, 3]) statuses.push(await statusFor(`2001:db8::${host}`))
  expect(statuses).toEqual(['200', '200', '429 after 1'])
  expect(await statusFor('2001:db8:0:1::1')).toBe('200')
})

test('a page counts by its entries, for its address and for all', async () => {
  service.clock.hold()
  service.clock.advance(60_000 - (service.clock.now() % 60_000))
  expect(await statusFor('192.0.2.1', '/entries?count=100')).toBe('204')
  // Ten requests: its address has none left of the second and of the minute.
  expect(await statusFor('192.0.2.1', '/entries?count=1000')).toBe('204')
  expect(await statusFor('192.0.2.1')).toBe('429 after 60')
  // Eleven of twelve in the minute are used up.
  expect(await statusFor('192.0.2.2')).toBe('429 after 1')
  service.clock.advance(1_000)
  expect(await statusFor('192.0.2.2')).toBe('200')
  expect(await statusFor('192.0.2.3')).toBe('429 after 59')
})
