// Why customers flag: the reason and the note of a flag, from the request to the moderator, the export and the erasure.

import { expect, test } from 'vitest'
import { FLAG_REASONS } from '../../src/flags/reasons.ts'
import { expectFault } from '../harness/answers.ts'
import { call, type Json, KEY, SECRET, startTestService, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })

async function flagged(query: string, flagger: TestCustomer, options: { body?: string } = {}) {
  const subject = await service.member()
  const path = `/v1/profiles/${subject.profileId}/flag${query}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const sent = options.body === undefined ? {} : { body: Buffer.from(options.body), headers: form }
  return { subject, reply: await service.call('PUT', path, { ticket: flagger.ticket, ...sent }) }
}

async function textsOf(kind: 'profile' | 'comment', id: number): Promise<Json> {
  const { body } = await service.operator('GET', `/operator/v1/moderation/${kind}s/${id}/context`)
  return body.flags.map(({ reason, note }: Json) => [reason, note])
}

test('every reason is taken, and none', async () => {
  const flagger = await service.member()
  for (const reason of ['', ...FLAG_REASONS]) {
    const { subject, reply } = await flagged(reason === '' ? '' : `?reason=${reason}`, flagger)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(await textsOf('profile', subject.profileId)).toEqual([[reason || null, '']])
  }
})

test('a note is stored trimmed, composed and with line feeds; query before form; blank is absent', async () => {
  const flagger = await service.member()
  const cases: [query: string, body: string | undefined, stored: [string | null, string]][] = [
    [`?note=${encodeURIComponent(' e\u0301 \r\n two ')}`, undefined, [null, '\u00e9 \n two']],
    ['', 'reason=harm&note=In+a+form', ['harm', 'In a form']],
    ['?reason=spam', 'reason=harm&note=both', ['spam', 'both']],
    ['?reason=&note=%20%20', undefined, [null, '']],
    [`?note=${encodeURIComponent('😀'.repeat(300))}`, undefined, [null, '😀'.repeat(300)]],
  ]
  for (const [query, body, stored] of cases) {
    const { subject, reply } = await flagged(query, flagger, body === undefined ? {} : { body })
    expect([query, reply.status]).toEqual([query, 204])
    expect(await textsOf('profile', subject.profileId)).toEqual([stored])
  }
})

test.each([
  ['reason', 'boring'],
  ['reason', 'Spam'],
  ['reason', 'spam&reason=spam'],
  ['note', 'x'.repeat(301)],
  ['note', 'a%00b'],
  ['note', 'a%0A'.repeat(12)],
])('an invalid %s is refused, and nothing is stored: %s', async (faultName, value) => {
  const { subject, reply } = await flagged(`?${faultName}=${value}`, await service.member())
  expectFault(reply, '/v1/profiles/{id}/flag', 'invalid', faultName)
  expect(await textsOf('profile', subject.profileId)).toEqual([])
})

test('a second flag by the same profile changes nothing, also not its text', async () => {
  const [author, flagger] = [await service.member(), await service.member()]
  const [outcome] = await newMatch(service)
  const id = await newTip(service, author, outcome!.id)
  for (const query of ['?reason=abuse&note=First', '?reason=spam&note=Second']) {
    const path = `/v1/communities/comments/${id}/flag${query}`
    expect((await service.call('POST', path, { ticket: flagger.ticket })).status).toBe(204)
  }
  expect(await textsOf('comment', id)).toEqual([['abuse', 'First']])
  const { body } = await service.operator('GET', `/operator/v1/reporters/${flagger.profileId}`)
  expect(body).toMatchObject({ flags: 1 })
})

test('the queue counts the reasons of open flags, most frequent first', async () => {
  const subject = await service.member()
  for (const reason of ['harm', 'spam', '', 'spam']) {
    const query = reason === '' ? '' : `?reason=${reason}`
    const { ticket } = await service.member()
    await service.call('PUT', `/v1/profiles/${subject.profileId}/flag${query}`, { ticket })
  }
  const { body } = await service.operator('GET', '/operator/v1/moderation/queue?kind=profile')
  const reasons = [
    { reason: 'spam', flags: 2 },
    { reason: 'harm', flags: 1 },
  ]
  const item = body.items.find(({ id }: Json) => id === `${subject.profileId}`)
  expect(item).toMatchObject({ flags: 4, weight: '2.00', trustedFlags: 0, reasons })
  await service.operator('POST', `/operator/v1/moderation/profiles/${subject.profileId}`, { action: 'keep' })
  const after = await service.operator('GET', `/operator/v1/moderation/profiles/${subject.profileId}`)
  expect(after.body).toMatchObject({ flags: 0, weight: '0.00', reasons: [] })
})

test('erasure removes reasons and notes of the reporter and the operator’s note; a late flag stores none', async () => {
  const flagger = await service.member()
  const { subject } = await flagged('?reason=abuse&note=Private', flagger)
  const reporter = `/operator/v1/reporters/${flagger.profileId}`
  expect((await service.operator('PUT', reporter, { trusted: true, note: 'A known person' })).status).toBe(200)
  const data = `/operator/v1/customers/${flagger.id}/personal-data`
  const before = (await service.operator('GET', data)).body
  expect(before).toMatchObject({
    flags: [{ reason: 'abuse', note: 'Private' }],
    reporter: { flags: 1, trusted: true, note: 'A known person' },
  })
  // Its ticket is cached, so that it is good for some seconds more.
  expect((await service.operator('DELETE', data)).status).toBe(204)
  const { subject: late, reply } = await flagged('?reason=abuse&note=Private', flagger)
  expect(await textsOf('profile', subject.profileId)).toEqual([[null, '']])
  if (reply.status === 204) expect(await textsOf('profile', late.profileId)).toEqual([[null, '']])
  const after = (await service.operator('GET', data)).body
  expect(JSON.stringify(after)).not.toMatch(/Private|abuse|A known person/)
  expect((await service.operator('GET', reporter)).body).toMatchObject({ trusted: true, note: '' })
})

test('without extensions both are ignored, and nothing describes them', async () => {
  const contract = await startTestService({ EXTENSIONS: 'off', LOG_LEVEL: 'silent' })
  try {
    const [flagger, subject] = [await contract.member(), await contract.member()]
    const path = `/v1/profiles/${subject.profileId}/flag?reason=boring&note=${'x'.repeat(301)}`
    const options = { key: KEY, secret: SECRET, ticket: flagger.ticket }
    expect((await call(contract.publicUrl, 'PUT', path, options)).status).toBe(204)
    const { body } = await contract.operator('GET', `/operator/v1/moderation/profiles/${subject.profileId}/context`)
    expect(body.flags).toMatchObject([{ reason: null, note: '' }])
    const described = async (url: string) => (await fetch(`${url}/openapi.json`)).text()
    expect(await described(contract.publicUrl)).not.toContain('inside-information')
    expect(await described(service.publicUrl)).toContain('inside-information')
  } finally {
    await contract.close()
  }
})
