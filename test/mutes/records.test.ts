import { expect, test } from 'vitest'
import { gradedTips, rankingOf } from '../harness/records.ts'
import { type TestCustomer, useService } from '../harness/service.ts'

const service = useService()
type Member = TestCustomer & { profileId: number }

test('a block hides records and places in their ranking from the other alone', async () => {
  const [reader, author, other] = [await service.member(), await service.member(), await service.member()]
  const days = Array.from({ length: 20 }, (_, index) => ({ grade: 'W' as const, daysAgo: index % 5 }))
  await gradedTips(service, author, days)
  const ranked = async ({ ticket }: Member) => (await rankingOf(service, '', ticket)).map(({ id }) => Number(id))
  expect(await ranked(reader)).toEqual([author.profileId])
  const path = `/v1/profiles/me/blocks/${reader.profileId}`
  expect((await service.call('PUT', path, { ticket: author.ticket })).status).toBe(204)
  expect([await ranked(reader), await ranked(other)]).toEqual([[], [author.profileId]])
  for (const [after, who, status] of [
    ['', reader, 404],
    ['/tips', reader, 404],
    ['', other, 200],
    ['/tips', other, 200],
  ] as const) {
    const reply = await service.call('GET', `/v1/profiles/${author.profileId}/record${after}`, { ticket: who.ticket })
    expect([after, reply.status]).toEqual([after, status])
  }
})
