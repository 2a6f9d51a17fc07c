// Addresses of webhooks, which often have a secret in path or query.

import { describe, expect, test } from 'vitest'
import { appendEntry } from '../../src/audit/chain.ts'
import { maskedAddress } from '../../src/platform/masking/masked-addresses.ts'
import { useService } from '../harness/service.ts'
import { newToken } from '../operator/cases.ts'

const service = useService()
const URL_1 = 'https://hooks.example.com/services/T01/hidden-in-path?key=hidden-in-query'
const URL_2 = 'https://hooks.example.com/other-hidden-path'

async function texts(paths: readonly string[], token: string): Promise<string> {
  const replies = await Promise.all(
    paths.map((path) => service.operator('GET', `/operator/v1${path}`, undefined, token)),
  )
  expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 200))
  return replies.map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body))).join('\n')
}

test.each([
  ['https://example.com', 'https://example.com/'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://user:hidden@example.com/', 'https://example.com/…'],
  ['http://example.com/?hidden', 'http://example.com/…'],
  ['HTTPS://EXAMPLE.com/a/hidden#b', 'https://example.com/…'],
  ['https://example.com/…', 'https://example.com/…'],
  ['https://exa mple/hidden', '…'],
  ['two accounts', 'two accounts'],
])('%s is shown as %s', (address, shown) => {
  expect(maskedAddress(address)).toBe(shown)
})

describe('a webhook whose address has a secret', () => {
  test('an auditor sees the origin of an address, an admin all of it', async () => {
    const { body } = await service.operator('POST', '/operator/v1/webhooks', { url: URL_1 })
    expect(body.url).toBe(URL_1)
    const paths = ['/webhooks', `/webhooks/${body.id}`, `/webhooks/${body.id}/deliveries`]
    const [auditor, admin] = [await newToken(service, 'auditor'), await newToken(service, 'admin')]
    const seen = await texts(paths, auditor.token)
    expect(seen).toContain('https://hooks.example.com/…')
    expect(seen).not.toContain('hidden')
    expect(await texts(paths.slice(0, 1), admin.token)).toContain(URL_1)
  })

  test('the audit trail and the log have no more than the origin', async () => {
    const { id } = (await service.operator('POST', '/operator/v1/webhooks', { url: URL_1 })).body
    await service.operator('PATCH', `/operator/v1/webhooks/${id}`, { url: URL_2 })
    await service.operator('PATCH', `/operator/v1/webhooks/${id}`, { url: 'https://user:hidden@example.com/' })
    await service.operator('DELETE', `/operator/v1/webhooks/${id}`)
    // As an earlier version wrote it.
    const detail = JSON.stringify({ body: { url: URL_1 }, changes: { url: { from: URL_2, to: URL_1 } } })
    const entry = { at: service.clock.now(), actor: 'ann', role: 'admin', subject: id, address: '127.0.0.1' }
    await service.context.database.transaction((transaction) =>
      appendEntry(transaction, { ...entry, action: 'changeWebhook', detail }),
    )
    const { token } = await newToken(service, 'auditor')
    const seen = await texts(['/audit?limit=50', '/audit.csv'], token)
    expect(seen).toContain('https://hooks.example.com/…')
    expect(seen + service.logged()).not.toContain('hidden')
  })
})
