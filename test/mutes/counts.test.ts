// Counts are the same for everybody; lists leave out whom a block hides from the caller (R11).

import { expect, test } from 'vitest'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { commentIds, newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()

type Member = TestCustomer & { profileId: number }

async function act(who: Member, method: string, path: string): Promise<void> {
  const reply = await service.call(method, `/v1${path}`, { ticket: who.ticket })
  expect([path, reply.status]).toEqual([path, 204])
}

/** null: nobody's request, without a ticket. */
async function read(who: Member | null, path: string): Promise<Json> {
  const options = { accept: 'application/json', ...(who === null ? {} : { ticket: who.ticket }) }
  const reply = await service.call('GET', `/v1${path}`, options)
  expect([path, reply.status, reply.text]).toEqual([path, 200, expect.any(String)])
  return reply.json()
}

async function profilesIn(who: Member | null, path: string): Promise<number[]> {
  const { whoProfiles } = await read(who, path)
  return whoProfiles.map(({ profile }: Json) => Number(profile.id)).sort((one: number, other: number) => one - other)
}

/** Every count that an answer has, by its name and in its order. */
function countsIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'object' ? countsIn(one as Json) : /^num[A-Z]/.test(name) ? [`${name} ${one}`] : [],
  )
}

test.each([['blocks'], ['is blocked by']])(
  'one who %s another sees the same counts, and shorter lists',
  async (who) => {
    const members = await Promise.all(Array.from({ length: 4 }, () => service.member()))
    const [viewer, hidden, author, other] = members as [Member, Member, Member, Member]
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const tip = await newTip(service, author, outcome.id)
    await newTip(service, hidden, outcome.id)
    for (const one of [hidden, other]) {
      await act(one, 'POST', `/profiles/me/followings/${author.profileId}`)
      await act(author, 'POST', `/profiles/me/followings/${one.profileId}`)
      await act(one, 'POST', `/communities/comments/${tip}/like`)
    }
    const [blocker, blocked] = who === 'blocks' ? [viewer, hidden] : [hidden, viewer]
    await act(blocker, 'PUT', `/profiles/me/blocks/${blocked.profileId}`)

    const profile = `/profiles/${author.profileId}?communities=Y`
    const counted = [profile, `/communities/comments/${tip}`, '/communities/comments/outcomes/top']
    for (const path of counted) {
      const expected = countsIn(await read(null, path))
      expect(expected.length).toBeGreaterThan(0)
      for (const one of [viewer, hidden, other]) {
        expect([path, ...countsIn(await read(one, path))]).toEqual([path, ...expected])
      }
    }
    expect(countsIn(await read(viewer, profile))).toEqual(
      expect.arrayContaining(['numFollowers 2', 'numFollowings 2', 'numLive 1']),
    )
    expect(countsIn(await read(viewer, `/communities/comments/${tip}`))).toEqual(['numLikes 2'])

    const both = [hidden.profileId, other.profileId].sort((one, another) => one - another)
    for (const list of ['followers', 'followings']) {
      const path = `/profiles/${author.profileId}/${list}?blockSize=10&blockNum=0`
      expect(await profilesIn(viewer, path)).toEqual([other.profileId])
      for (const one of [null, other]) expect(await profilesIn(one, path)).toEqual(both)
    }
    expect(await commentIds(service, `profiles/${author.profileId}?status=A`, viewer.ticket)).toEqual([tip])
    const ofHidden = await service.call('GET', `/v1/communities/comments/profiles/${hidden.profileId}?status=A`, {
      ticket: viewer.ticket,
    })
    expect(ofHidden.status).toBe(404)
    // In a list, each profile has the counts that everybody sees.
    const shown = `/profiles/${author.profileId}/followers?communities=Y&blockSize=10&blockNum=0`
    const [inList] = (await read(viewer, shown)).whoProfiles
    expect(countsIn(inList)).toEqual(
      countsIn((await read(null, `/profiles/${other.profileId}?communities=Y`)).whoProfiles),
    )
  },
)
