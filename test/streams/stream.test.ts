// What a connected application receives, and what it does not.

import { afterEach, describe, expect, test } from 'vitest'
import { type Listener, listen } from '../harness/event-source.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { addCard, deposit, sweepUntil } from '../harness/wallets.ts'

const service = useService()
const listeners: Listener[] = []
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close()
})

type Member = TestCustomer & { profileId: number }

async function connected(customer: TestCustomer): Promise<Listener> {
  const listener = listen(service.publicUrl, customer)
  listeners.push(listener)
  await listener.greeted()
  return listener
}

async function act(who: TestCustomer, method: string, path: string): Promise<void> {
  const { status } = await service.call(method, `/v1${path}`, { ticket: who.ticket })
  expect([path, status]).toEqual([path, expect.toSatisfy((one) => one < 300)])
}

const follow = (who: Member, whom: Member, method = 'POST') =>
  act(who, method, `/profiles/me/followings/${whom.profileId}`)
const like = (who: Member, tip: number, method = 'POST') => act(who, method, `/communities/comments/${tip}/like`)
const decide = (path: string, action: string) =>
  operatorOk(service, 'POST', `/moderation/${path}`, { action, note: 'seen by operators only' })
const anOutcome = async () => (await newMatch(service))[0] as TestOutcome

/** Something that arrives after everything that happened before it. */
async function andLast(listener: Listener, whose: Member): Promise<void> {
  const fan = await service.member()
  await follow(fan, whose)
  const isLast = () => listener.events().at(-1)?.data.data.byProfileId === `${fan.profileId}`
  await expect.poll(isLast, { interval: 20 }).toBe(true)
}

describe('a connected customer receives', () => {
  test('followers, likes, results and decisions, and nothing of others', async () => {
    const [author, fan, other] = [await service.member(), await service.member(), await service.member()]
    const outcome = await anOutcome()
    const tip = await newTip(service, author, outcome.id, { text: 'never in a stream' })
    const foreign = await newTip(service, other, outcome.id)
    const listener = await connected(author)
    await follow(fan, author)
    await follow(fan, author, 'DELETE')
    await follow(fan, other)
    await like(fan, tip)
    await like(fan, tip, 'DELETE')
    await like(fan, foreign)
    await act(fan, 'POST', `/communities/comments/${tip}/flag`)
    await act(fan, 'PUT', `/profiles/${author.profileId}/flag`)
    await decide(`comments/${tip}`, 'keep')
    await decide(`comments/${tip}`, 'remove')
    await decide(`comments/${tip}`, 'restore')
    await settle(service, outcome, 'win')
    await settle(service, outcome, 'lose')
    await decide(`profiles/${author.profileId}`, 'reset-name')
    await andLast(listener, author)
    const [own, comment] = [`profile ${author.profileId}`, `comment ${tip}`]
    expect(listener.summary().slice(0, -1).sort()).toEqual(
      [
        `follow.created ${own}`,
        `like.created ${comment}`,
        `tip.removed ${comment}`,
        `decision.made ${comment}`,
        `tip.restored ${comment}`,
        `decision.made ${comment}`,
        `tip.settled ${comment}`,
        `tip.corrected ${comment}`,
        `decision.made ${own}`,
      ].sort(),
    )
    const events = listener.events()
    expect(events.map(({ data }) => data.position)).toEqual(
      [...events.map(({ data }) => data.position)].sort((a, b) => a - b),
    )
    for (const { type, lastEventId, data } of events) {
      expect(data).toEqual({
        position: Number(lastEventId),
        id: expect.stringMatching(/^evt_/),
        type,
        timestamp: expect.stringMatching(/^20.*Z$/),
        subject: { type: expect.any(String), id: expect.any(String) },
        profileId: `${author.profileId}`,
        data: expect.any(Object),
      })
    }
    expect(JSON.stringify(listener.received)).not.toMatch(/never in a stream|seen by operators|customer/)
  })

  test('the changes of their own cards and deposits, without the reason of a review', async () => {
    const [member, other] = [await service.member(), await service.member()]
    const listener = await connected(member)
    for (const { id, ticket } of [other, member]) {
      const method = await addCard(service, { id }, { token: 'sandbox:capture-refused' })
      expect((await deposit(service, { ticket, method, amount: '12.50' })).status).toBe(200)
      await sweepUntil(service, id, ['REVIEW'])
    }
    await andLast(listener, member)
    expect(
      listener
        .events()
        .slice(0, -1)
        .map(({ type, data }) => [type, data.data]),
    ).toEqual([
      ['card.added', { cardId: expect.stringMatching(/^\d+$/) }],
      ['deposit.authorised', { amount: '12.50', currency: 'GBP', state: 'AUTHORISED', limitPeriod: null, fault: null }],
      ['deposit.review', { amount: '12.50', currency: 'GBP', state: 'REVIEW', limitPeriod: null, fault: null }],
    ])
  })

  test('the changes of their own withdrawals', async () => {
    const [member, other] = [await service.member(), await service.member()]
    const listener = await connected(member)
    for (const { id, ticket } of [other, member]) {
      const method = await addCard(service, { id })
      await deposit(service, { ticket, method, amount: '12.50' })
      await sweepUntil(service, id, ['CAPTURED'])
      const path = `/v1/wallets/me/withdrawals?amount=5.00&id=${method}`
      const reply = await service.call('POST', path, { ticket, accept: 'application/json' })
      expect(reply.json().whoWallets.withdrawal.amount).toBe('5.00')
      await sweepUntil(service, id, ['CAPTURED'])
    }
    await andLast(listener, member)
    const seen = listener.events().filter(({ type }) => type.startsWith('withdrawal.'))
    expect(seen.slice(0, 2).map(({ type }) => type)).toEqual(['withdrawal.requested', 'withdrawal.approved'])
    for (const { data } of seen) {
      expect(data.subject).toEqual({ type: 'customer', id: `${member.id}` })
      expect(data.data).toMatchObject({ withdrawalId: expect.any(String), amount: '5.00', currency: 'GBP' })
    }
  })

  test('tips of those whom they follow, from when to when they follow', async () => {
    const [reader, author, stranger] = [await service.member(), await service.member(), await service.member()]
    const { id } = await anOutcome()
    const listeners = [await connected(reader), await connected(reader)]
    const [listener] = listeners as [Listener]
    await newTip(service, author, id)
    await andLast(listener, reader)
    await follow(reader, author)
    const tip = await newTip(service, author, id)
    await newTip(service, stranger, id)
    await newTip(service, reader, id)
    await andLast(listener, reader)
    await follow(reader, author, 'DELETE')
    await newTip(service, author, id)
    await andLast(listener, reader)
    for (const one of listeners) {
      expect(one.summary().filter((text) => !text.startsWith('follow.'))).toEqual([`tip.created comment ${tip}`])
    }
  })

  test('nothing of inactive profiles', async () => {
    const [author, inactive, followed] = [await service.member(), await service.member(), await service.member()]
    const { id } = await anOutcome()
    const tip = await newTip(service, author, id)
    await follow(author, followed)
    const listener = await connected(author)
    await decide(`profiles/${inactive.profileId}`, 'deactivate')
    await decide(`profiles/${followed.profileId}`, 'deactivate')
    await like(inactive, tip)
    await follow(inactive, author)
    await andLast(listener, author)
    expect(listener.events()).toHaveLength(1)
    const { lastEventId } = listener.received[0] ?? { lastEventId: '' }
    const resumed = listen(service.publicUrl, { ...author, lastEventId: Number(lastEventId) })
    listeners.push(resumed)
    await resumed.greeted()
    expect(resumed.events()).toEqual(listener.events())
  })
})
