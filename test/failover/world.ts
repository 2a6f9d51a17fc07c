// The customers, the match and the first tip of a load.

import type { Instance } from './instances.ts'

export type Member = { instance: Instance; customerId: number; profileId: number; ticket: string }
/** `readers` write nothing. */
export type World = { members: Member[]; readers: Member[]; star: Member; outcomeId: number; tipId: number }

let ids = Math.floor(Date.now() / 1000) * 100

export function newId(): number {
  return ++ids
}

const MEMBERS_OF_INSTANCE = 8

export async function createWorld(instances: readonly Instance[]): Promise<World> {
  const members: Member[] = []
  for (const instance of instances) {
    const created = Array.from({ length: MEMBERS_OF_INSTANCE }, () => createMember(instance))
    members.push(...(await Promise.all(created)))
  }
  const readers = await Promise.all(instances.flatMap((instance) => [createMember(instance), createMember(instance)]))
  const [instance] = instances as [Instance]
  const [eventId, marketId, outcomeId] = [newId(), newId(), newId()]
  await instance.operatorOk('PUT', '/sports/1', { name: 'Racing', communities: true })
  await instance.operatorOk('PUT', `/events/${eventId}`, {
    sportId: 1,
    name: 'The match',
    startTime: '2040-01-01T15:00:00Z',
    markets: [
      { id: marketId, name: 'Result', outcomes: [{ id: outcomeId, name: 'Home', price: { num: 11, den: 10 } }] },
    ],
  })
  const star = await createMember(instance)
  const betId = newId()
  await instance.operatorOk('PUT', `/bets/${betId}`, { customerId: star.customerId, outcomeIds: [outcomeId] })
  const tip = await instance.call('POST', tipPath(outcomeId, betId), { ticket: star.ticket })
  return { members, readers, star, outcomeId, tipId: Number(tip.body.whoCommunities.comment.id) }
}

async function createMember(instance: Instance): Promise<Member> {
  const customerId = newId()
  await instance.operatorOk('PUT', `/customers/${customerId}`, { dailyDepositLimit: '1000000000.00' })
  const { ticket } = await instance.operatorOk('POST', `/customers/${customerId}/tickets`, { ttlSeconds: 86_400 })
  const me = await instance.call('GET', '/v1/profiles/me', { ticket })
  return { instance, customerId, ticket, profileId: Number(me.body.whoProfiles[0].profile.id) }
}

export const tipPath = (outcomeId: number, betId: number) =>
  `/v1/communities/comments/me/outcomes/${outcomeId}?betId=${betId}&text=Under+load`
