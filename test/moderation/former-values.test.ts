// What a reset replaced: put back, kept, deleted with the period, erased with personal data.

import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { APPEAL_MS } from '../../src/moderation/decisions/actions.ts'
import { deleteExpiredFormers } from '../../src/moderation/decisions/former-values.ts'
import { writing } from '../../src/platform/database/database.ts'
import { appealed, decide, ownDecisions } from '../harness/appeals.ts'
import { caughtUp } from '../harness/notifications.ts'
import { searchIds } from '../harness/search.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newToken } from '../operator/cases.ts'

const service = useService()
let judge: string

type Member = TestCustomer & { profileId: number }

beforeAll(async () => {
  judge = (await newToken(service, 'moderator')).token
})

async function rename({ ticket }: Member, name: string): Promise<void> {
  const reply = await service.call('PUT', `/v1/profiles/me?name=${encodeURIComponent(name)}`, { ticket })
  expect(reply.status).toBe(200)
}

async function ownProfile({ ticket }: Member): Promise<Json> {
  return (await service.call('GET', '/v1/profiles/me', { ticket, accept: 'application/json' })).json().whoProfiles[0]
    .profile
}

async function withPicture(colour: string): Promise<{ member: Member; address: string }> {
  const member = await service.member()
  const body = await sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
    .png()
    .toBuffer()
  await service.call('PUT', '/v1/profiles/me/picture', { ticket: member.ticket, body })
  return { member, address: (await ownProfile(member)).picture }
}

const statusAt = async (address: string) => (await fetch(service.publicUrl + address)).status

/** Resets, and returns the id of the decision. */
async function reset({ profileId }: Member, action: string): Promise<number> {
  return Number((await decide(service, `profiles/${profileId}`, { action })).decisions.at(-1).id)
}

const exported = async ({ id }: Member) =>
  (await service.operator('GET', `/operator/v1/customers/${id}/personal-data`)).body

const overturn = (id: number, more: object = {}) =>
  service.operator(
    'POST',
    `/operator/v1/moderation/appeals/${id}`,
    { outcome: 'overturned', reply: 'Sorry', ...more },
    judge,
  )

test('a name and a biography that are put back are found again', async () => {
  const member = await service.member()
  const query = `name=${encodeURIComponent('Quagmire Quinn')}&biography=${encodeURIComponent('Zeppelins at dawn')}`
  expect((await service.call('PUT', `/v1/profiles/me?${query}`, { ticket: member.ticket })).status).toBe(200)
  const found = async () => [
    await searchIds(service, 'profiles', 'Quagmire'),
    await searchIds(service, 'profiles', 'Zeppelins'),
  ]
  expect(await found()).toEqual([[member.profileId], [member.profileId]])
  const decisions = [await reset(member, 'reset-name'), await reset(member, 'reset-biography')]
  expect(await found()).toEqual([[], []])
  // The owner reads what was removed.
  const texts = (await ownDecisions(service, member)).map(({ action, text }) => [action, text])
  expect(texts).toEqual([
    ['reset-biography', 'Zeppelins at dawn'],
    ['reset-name', 'Quagmire Quinn'],
  ])
  for (const id of decisions) expect((await overturn(await appealed(service, member, id))).status).toBe(200)
  expect(await found()).toEqual([[member.profileId], [member.profileId]])
})

test('a name that the author has replaced stays', async () => {
  const member = await service.member()
  await rename(member, 'Long Shot Len')
  const id = await appealed(service, member, await reset(member, 'reset-name'))
  await rename(member, 'Short Price Sid')
  expect((await service.operator('GET', `/operator/v1/moderation/appeals/${id}`)).body).toMatchObject({
    former: 'Long Shot Len',
    putsBack: false,
  })
  expect((await overturn(id)).status).toBe(200)
  expect((await ownProfile(member)).name).toBe('Short Price Sid')
})

test.each([
  ['Wanted Will', 'wanted WILL'],
  ['Copied Cat', 'C\u043epied  Cat'],
])('a name that another profile has taken is put back only without it: %s, %s', async (name, taken) => {
  const [member, other] = [await service.member(), await service.member()]
  await rename(member, name)
  const id = await appealed(service, member, await reset(member, 'reset-name'))
  await rename(other, taken)
  const refused = await overturn(id)
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('putBack: false')])
  expect((await ownDecisions(service, member))[0].appeal.state).toBe('open')
  expect((await overturn(id, { putBack: false })).status).toBe(200)
  expect((await ownProfile(member)).name).toBe(`player-${member.profileId}`)
})

test('of two resets, each appeal puts back its own, and the later one counts', async () => {
  const member = await service.member()
  await rename(member, 'First Fred')
  const first = await appealed(service, member, await reset(member, 'reset-name'))
  await rename(member, 'Second Stan')
  const second = await appealed(service, member, await reset(member, 'reset-name'))
  expect((await overturn(first)).status).toBe(200)
  expect((await ownProfile(member)).name).toBe(`player-${member.profileId}`)
  expect((await overturn(second)).status).toBe(200)
  expect((await ownProfile(member)).name).toBe('Second Stan')
})

test('a reset picture cannot be fetched at its old address, and comes back at a new one', async () => {
  const { member, address } = await withPicture('#112233')
  const id = await appealed(service, member, await reset(member, 'reset-picture'))
  expect(await statusAt(address)).toBe(404)
  expect((await overturn(id)).status).toBe(200)
  const { picture } = await ownProfile(member)
  expect([picture === address, await statusAt(picture)]).toEqual([false, 200])
})

const setTime = writing<{ id: number; at: number }>('ageDecision', 'update decision set at = :at where id = :id')

/** The picture's address while it is stored for an appeal. */
async function storedPicture(member: Member): Promise<string> {
  const [former] = (await exported(member)).formerContent
  return `/pictures/${former.value}`
}

test('the file is deleted when the appeal is upheld, or when nobody has appealed in time', async () => {
  const { context, clock } = service
  const { member: upheld } = await withPicture('#445566')
  const id = await appealed(service, upheld, await reset(upheld, 'reset-picture'))
  const first = await storedPicture(upheld)
  expect(await statusAt(first)).toBe(200)
  await decide(service, `appeals/${id}`, { outcome: 'upheld', reply: 'No' }, judge)
  expect([await statusAt(first), (await exported(upheld)).formerContent]).toEqual([404, []])

  const [{ member: silent }, { member: waiting }] = [await withPicture('#778899'), await withPicture('#aabbcc')]
  const decisions = [await reset(silent, 'reset-picture'), await reset(waiting, 'reset-picture')]
  await appealed(service, waiting, decisions[1] as number)
  const [second, third] = [await storedPicture(silent), await storedPicture(waiting)]
  await deleteExpiredFormers(context)
  expect([await statusAt(second), await statusAt(third)]).toEqual([200, 200])
  for (const one of decisions) await context.database.run(setTime, { id: one, at: clock.now() - APPEAL_MS - 1 })
  await deleteExpiredFormers(context)
  // The appeal still waits.
  expect([await statusAt(second), await statusAt(third)]).toEqual([404, 200])
})

test('personal data: statements, appeals and former values are exported, and erased', async () => {
  const { member, address } = await withPicture('#ddeeff')
  await rename(member, 'Erased Edna')
  const nameId = await reset(member, 'reset-name')
  await reset(member, 'reset-picture')
  await appealed(service, member, nameId)
  await caughtUp(service.context.database)
  const before = await exported(member)
  expect(before.decisions[0]).toMatchObject({
    ground: 'terms',
    clause: 'general',
    statement: expect.stringContaining('rules'),
  })
  expect(before.appeals).toEqual([
    expect.objectContaining({ decisionId: `${nameId}`, party: 'author', text: 'Please read it again', state: 'open' }),
  ])
  expect(before.formerContent.map(({ action, value }: Json) => [action, value])).toEqual([
    ['reset-name', 'Erased Edna'],
    ['reset-picture', expect.stringMatching(/^[0-9a-f]{32}\.jpg$/)],
  ])
  const stored = `/pictures/${before.formerContent[1].value}`
  expect((await service.operator('DELETE', `/operator/v1/customers/${member.id}/personal-data`)).status).toBe(204)
  const after = await exported(member)
  expect([after.formerContent, after.appeals[0].text, after.appeals[0].state]).toEqual([[], '', 'withdrawn'])
  expect(after.decisions.map(({ statement }: Json) => statement)).toEqual(['', ''])
  expect([await statusAt(address), await statusAt(stored)]).toEqual([404, 404])
  const [appeal] = before.appeals
  const late = await overturn(Number(appeal.id))
  expect([late.status, late.body.current.state]).toEqual([409, 'withdrawn'])
})
