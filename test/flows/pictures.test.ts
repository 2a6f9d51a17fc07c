import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { startTestService, type TestCustomer, useService } from '../harness/service.ts'

const service = useService()
const PATH = '/v1/profiles/me/picture'

const image = (colour: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: colour } })
    .jpeg()
    .toBuffer()

async function pictureOf({ ticket }: TestCustomer): Promise<string> {
  const reply = await service.call('GET', '/v1/profiles/me', { ticket, accept: 'application/json' })
  return reply.json().whoProfiles[0].profile.picture
}

const fetchPicture = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.publicUrl + path, { headers })

describe('pictures', () => {
  test('an upload becomes the profile’s picture, square, served with caching headers', async () => {
    const customer = await service.customer()
    const reply = await service.call('PUT', PATH, { ticket: customer.ticket, body: await image('#aa3311') })
    expect(reply.status).toBe(200)
    const path = await pictureOf(customer)
    expect(path).toMatch(/^\/pictures\/[0-9a-f]{32}\.jpg$/)
    const served = await fetchPicture(path)
    expect(served.headers.get('cache-control')).toContain('immutable')
    expect(served.headers.get('content-type')).toBe('image/jpeg')
    const metadata = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
    expect([metadata.width, metadata.height]).toEqual([512, 512])
    const again = await fetchPicture(path, { 'if-none-match': served.headers.get('etag') as string })
    expect(again.status).toBe(304)
  })

  test('a new upload replaces the picture and deletes the old one; DELETE returns to the default', async () => {
    const customer = await service.customer()
    await service.call('PUT', PATH, { ticket: customer.ticket, body: await image('#111111') })
    const first = await pictureOf(customer)
    await service.call('PUT', PATH, { ticket: customer.ticket, body: await image('#222222') })
    const second = await pictureOf(customer)
    expect(second).not.toBe(first)
    expect((await fetchPicture(first)).status).toBe(404)
    expect((await service.call('DELETE', PATH, { ticket: customer.ticket })).status).toBe(200)
    expect((await fetchPicture(second)).status).toBe(404)
    const fallback = await pictureOf(customer)
    expect(fallback).toBe('/pictures/default.png')
    expect((await fetchPicture(fallback)).headers.get('content-type')).toBe('image/png')
  })

  test('an upload that is no picture changes nothing', async () => {
    const customer = await service.customer()
    await service.call('PUT', PATH, { ticket: customer.ticket, body: await image('#333333') })
    const before = await pictureOf(customer)
    for (const body of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a but not really']) {
      expectFault(await service.call('PUT', PATH, { ticket: customer.ticket, body }), PATH, 'notAnImage', undefined)
    }
    expect(await pictureOf(customer)).toBe(before)
  })

  test('uploads are limited per customer and minute', async () => {
    const [busy, other] = [await service.customer(), await service.customer()]
    const upload = async ({ ticket }: TestCustomer) => service.call('PUT', PATH, { ticket, body })
    const body = await image('#444444')
    // The minute must not end in between.
    service.clock.hold()
    for (let count = 0; count < 10; count++) expect((await upload(busy)).status).toBe(200)
    const refused = await upload(busy)
    expectFault(refused, PATH, 'tooManyRequests', undefined)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await upload(other)).status).toBe(200)
    service.clock.advance(60_000)
    expect((await upload(busy)).status).toBe(200)
  })

  test('a customer’s uploads wait for a decoder two at a time', async () => {
    const [busy, other] = [await service.customer(), await service.customer()]
    const body = await image('#555555')
    const upload = async ({ ticket }: TestCustomer) => (await service.call('PUT', PATH, { ticket, body })).status
    const statuses = await Promise.all([busy, busy, busy, busy, busy, other].map(upload))
    expect(statuses.at(-1)).toBe(200)
    expect(statuses.slice(0, -1)).toContain(429)
    expect(statuses.slice(0, -1).filter((status) => status === 200).length).toBeGreaterThanOrEqual(2)
    expect(await upload(busy)).toBe(200)
  })

  test.each(['nothing.png', '..%2f..%2fpaddock.db', '%2e%2e%2f', 'a'.repeat(32), `${'a'.repeat(32)}.jpg`])(
    '/pictures/%s is not found',
    async (key) => expect((await fetchPicture(`/pictures/${key}`)).status).toBe(404),
  )

  test('PUBLIC_URL makes addresses absolute', async () => {
    const elsewhere = await startTestService({ PUBLIC_URL: 'https://api.example.com/' })
    try {
      const { ticket } = await elsewhere.customer()
      const reply = await elsewhere.call('GET', '/v1/profiles/me', { ticket })
      expect(reply.text).toContain('<picture>https://api.example.com/pictures/default.png</picture>')
    } finally {
      await elsewhere.close()
    }
  })
})
