// What moderators see beside a subject, and the reporters that they mute and trust.

import { expect, test } from 'vitest'
import { reweighFlagsOfReporters } from '../../src/flags/weights.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })
type Member = TestCustomer & { profileId: number }

const read = async (path: string): Promise<Json> => (await service.operator('GET', `/operator/v1${path}`)).body
const mark = (profileId: number, body: object) => service.operator('PUT', `/operator/v1/reporters/${profileId}`, body)
const decide = (subject: string, action: string, note = '') =>
  service.operator('POST', `/operator/v1/moderation/${subject}`, { action, note })
const flag = ({ profileId }: Member, { ticket }: Member, query = '') =>
  service.call('PUT', `/v1/profiles/${profileId}/flag${query}`, { ticket })

async function queuedIds(lane: string): Promise<string[]> {
  await reweighFlagsOfReporters(service.context.database)
  return (await read(`/moderation/queue?kind=profile&lane=${lane}&limit=100`)).items.map(({ id }: Json) => id)
}

test('the context has the author, the record, tips, decisions and flags, in eight reads however many there are', async () => {
  const [author, first, second] = [await service.member(), await service.member(), await service.member()]
  await service.call('PUT', '/v1/profiles/me?name=Contextual%20Con', { ticket: author.ticket })
  await service.call('PUT', '/v1/profiles/me?name=First%20Reporter', { ticket: first.ticket })
  const [outcome] = await newMatch(service)
  const tips: number[] = []
  for (let index = 0; index < 7; index++)
    tips.push(await newTip(service, author, outcome!.id, { text: `Tip ${index}` }))
  await decide(`comments/${tips[0]}`, 'remove', 'too loud')
  await decide(`profiles/${author.profileId}`, 'keep', 'known')
  const last = tips.at(-1)
  for (const [member, query] of [
    [first, '?reason=spam&note=Look'],
    [second, ''],
  ] as const) {
    await service.call('POST', `/v1/communities/comments/${last}/flag${query}`, { ticket: member.ticket })
  }
  const before = service.statements()
  const context = await read(`/moderation/comments/${last}/context`)
  // Eight reads, and three statements for the entry in the audit trail.
  expect(service.statements() - before).toBe(8 + 3)
  const figures = { flags: 1, upheld: 0, rejected: 0, weight: '0.50', muted: false, trusted: false, note: '' }
  expect(context).toMatchObject({
    author: {
      kind: 'profile',
      id: `${author.profileId}`,
      content: { name: 'Contextual Con', status: 'active' },
      decisions: [{ action: 'keep', note: 'known' }],
      actions: ['deactivate', 'reset-name'],
    },
    record: { numSettled: 0, numOpen: 6 },
    decisionsOnTips: [{ commentId: `${tips[0]}`, action: 'remove', note: 'too loud', actor: 'bootstrap' }],
    flags: [
      { reason: null, note: '', verdict: 'open', reporter: { profileId: `${second.profileId}`, ...figures } },
      { reason: 'spam', note: 'Look', verdict: 'open', reporter: { name: 'First Reporter', ...figures } },
    ],
  })
  expect(context.tips.count).toBe(7)
  expect(context.tips.latest.map(({ text }: Json) => text)).toEqual(['Tip 6', 'Tip 5', 'Tip 4', 'Tip 3', 'Tip 2'])

  await decide(`comments/${last}`, 'remove')
  const after = await read(`/moderation/comments/${last}/context`)
  const upheld = { ...figures, upheld: 1, weight: '0.67' }
  expect(after.flags.map(({ verdict, reporter }: Json) => [verdict, reporter])).toMatchObject([
    ['upheld', upheld],
    ['upheld', upheld],
  ])
  expect(await read(`/moderation/profiles/${author.profileId}/context`)).toMatchObject({
    flags: [],
    tips: { count: 7 },
  })
})

test('a tip has its event, and what its author wrote on the same event', async () => {
  const [author, other] = [await service.member(), await service.member()]
  const [home, away] = await newMatch(service, { outcomes: 2 })
  const [elsewhere] = await newMatch(service)
  const first = await newTip(service, author, home!.id, { text: 'Home, surely' })
  await newTip(service, other, home!.id, { text: 'Somebody else' })
  await newTip(service, author, elsewhere!.id, { text: 'Another event' })
  const second = await newTip(service, author, away!.id, { text: 'Away, on second thoughts' })
  await decide(`comments/${first}`, 'remove')
  const { thread } = await read(`/moderation/comments/${second}/context`)
  expect(thread.map(({ id, text, state }: Json) => [id, text, state])).toEqual([
    [`${first}`, 'Home, surely', 'removed'],
    [`${second}`, 'Away, on second thoughts', 'live'],
  ])
  const { content } = await read(`/moderation/comments/${second}`)
  expect(content).toMatchObject({ event: `Event ${away!.eventId}`, startsAt: expect.stringMatching(/^\d{4}-/) })
  expect((await read(`/moderation/profiles/${author.profileId}/context`)).thread).toEqual([])
})

test('a subject that does not exist has no context', async () => {
  for (const kind of ['profiles', 'comments']) {
    expect((await service.operator('GET', `/operator/v1/moderation/${kind}/999999/context`)).status).toBe(404)
  }
})

test('what only muted reporters flagged is not in the queue, and comes back when they are heard again', async () => {
  const [subject, muted, other] = [await service.member(), await service.member(), await service.member()]
  expect((await mark(muted.profileId, { muted: true, note: 'flags everybody' })).body).toMatchObject({
    ...{ muted: true, trusted: false, weight: '0.00', note: 'flags everybody', flags: 0 },
  })
  await flag(subject, muted)
  const path = `/moderation/profiles/${subject.profileId}`
  expect(await read(path)).toMatchObject({ flags: 1, weight: '0.00' })
  expect(await queuedIds('all')).not.toContain(`${subject.profileId}`)
  await mark(muted.profileId, { muted: false })
  expect(await queuedIds('all')).toContain(`${subject.profileId}`)
  await mark(muted.profileId, { muted: true })
  expect(await queuedIds('all')).not.toContain(`${subject.profileId}`)
  await flag(subject, other)
  expect(await queuedIds('all')).toContain(`${subject.profileId}`)
  expect(await read(path)).toMatchObject({ flags: 2, weight: '0.50' })
})

test('the lane of trusted reporters has what they flagged', async () => {
  const [subject, plain, trusted] = [await service.member(), await service.member(), await service.member()]
  await flag(subject, plain)
  expect(await queuedIds('trusted')).not.toContain(`${subject.profileId}`)
  await mark(trusted.profileId, { trusted: true })
  await flag(subject, trusted)
  expect(await queuedIds('trusted')).toContain(`${subject.profileId}`)
  expect(await read(`/moderation/queue?kind=profile&lane=trusted`)).toMatchObject({ waiting: 1 })
  await mark(trusted.profileId, { trusted: false })
  expect(await queuedIds('trusted')).toEqual([])
  expect(await queuedIds('all')).toContain(`${subject.profileId}`)
})

test('a reporter is not muted and trusted at once, and must be a profile', async () => {
  const { profileId } = await service.member()
  expect((await mark(profileId, { muted: true, trusted: true })).status).toBe(422)
  expect((await mark(profileId, { trusted: true })).status).toBe(200)
  expect((await mark(profileId, { muted: true })).status).toBe(422)
  expect((await mark(profileId, { note: 'x'.repeat(1001) })).status).toBe(422)
  expect(await read(`/reporters/${profileId}`)).toMatchObject({ muted: false, trusted: true, note: '' })
  expect((await mark(profileId, { muted: true, trusted: false })).body).toMatchObject({ muted: true, trusted: false })
  expect((await mark(999_999, { muted: true })).status).toBe(404)
  expect((await service.operator('GET', '/operator/v1/reporters/999999')).status).toBe(404)
})

test('reporters are listed by the number of their flags, page by page, and by their marks', async () => {
  const subjects = [await service.member(), await service.member(), await service.member()]
  const reporters = [await service.member(), await service.member(), await service.member()]
  for (const [index, reporter] of reporters.entries()) {
    for (const subject of subjects.slice(index)) await flag(subject, reporter)
  }
  await mark(reporters[1]!.profileId, { muted: true })
  const all: Json[] = []
  for (let cursor = ''; cursor !== null; ) {
    const page = await read(`/reporters?limit=2${cursor && `&cursor=${cursor}`}`)
    all.push(...page.items)
    cursor = page.cursor
  }
  const counts = all.map(({ flags }) => flags)
  expect(counts).toEqual([...counts].sort((one, other) => other - one))
  expect(new Set(all.map(({ profileId }) => profileId)).size).toBe(all.length)
  const own = all.filter(({ profileId }) => reporters.some((one) => `${one.profileId}` === profileId))
  expect(own.map(({ flags }) => flags)).toEqual([3, 2, 1])
  const muted = (await read('/reporters?marked=muted&limit=100')).items
  expect(muted.map(({ profileId }: Json) => profileId)).toContain(`${reporters[1]!.profileId}`)
  expect(muted.every((one: Json) => one.muted)).toBe(true)
  expect((await read('/reporters?marked=trusted&limit=100')).items.every((one: Json) => one.trusted)).toBe(true)
})
