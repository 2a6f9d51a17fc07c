// The client against a real service: answers, faults with any status, limits, deposits that are made once, lists in blocks.

import { describe, expect, test } from 'vitest'
import { faultCodes, type Paddock, PaddockFault } from '../../clients/typescript/src/index.ts'
import { clientOf } from '../harness/client.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { newBet, newMatch, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { depositStates, newDepositor } from '../harness/wallets.ts'

const service = useService()

const as = ({ ticket }: TestCustomer) => clientOf(service, { ticket })
const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('it must be refused'),
    (error) => error,
  )

async function written(author: TestCustomer, text: string) {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const betId = await newBet(service, author.id, [outcome.id])
  const comment = await as(author).createCommentOnOutcomeId({ id: outcome.id, betId, text, priceNum: 11, priceDen: 10 })
  return { outcome, betId, comment }
}

describe('answers', () => {
  test('numbers, dates and booleans; texts and prices as they are', async () => {
    const author = await service.member()
    const { outcome, betId, comment } = await written(author, 'Two lines\n& an umlaut: ü 🐎')
    expect(comment).toEqual({
      id: expect.any(Number),
      type: 'tip',
      betId,
      status: 'A',
      createdDateTimeZoned: expect.any(Date),
      text: 'Two lines\n& an umlaut: ü 🐎',
      isFeatured: false,
      isFlagged: false,
      isLiked: false,
      event: {
        id: outcome.eventId,
        sportId: 1,
        name: `Event ${outcome.eventId}`,
        market: {
          id: outcome.marketId,
          name: 'Match result',
          outcome: {
            id: outcome.id,
            name: `Outcome ${outcome.id}`,
            status: 'A',
            numLikes: 0,
            displayStatus: 'A',
            livePrice: { priceNum: 11, priceDen: 10, priceFrac: '11/10', priceDec: '2.10', priceUS: 110 },
          },
        },
      },
    })
    expect(Math.abs(comment.createdDateTimeZoned.getTime() - service.clock.now())).toBeLessThan(60_000)
  })

  test('fields that are absent stay absent', async () => {
    const [reader, read] = [await service.member(), await service.member()]
    const anonymous = await clientOf(service).getProfile({ id: read.profileId })
    expect(anonymous).not.toHaveProperty('isFollowed')
    expect(anonymous).not.toHaveProperty('communities')
    const own = await as(reader).getProfile({ id: read.profileId, communities: true })
    expect(own).toMatchObject({ isFollowed: false, communities: { comments: { type: 'tip', numLive: 0 } } })
  })

  test('a list is an array: of none, of one, of several', async () => {
    const author = await service.member()
    const paddock = as(author)
    expect(await paddock.getAllMyComments({ status: 'A' })).toEqual([])
    const first = await written(author, 'The first')
    expect(await paddock.getAllMyComments({ status: 'A' })).toEqual([first.comment])
    const second = await written(author, 'The second')
    expect(await paddock.getAllMyComments({ status: 'A' })).toEqual([second.comment, first.comment])
    expect(await paddock.getMyNotifications()).toEqual({ numUnread: 0, notification: [] })
    await settle(service, first.outcome, 'win')
    const record = () => paddock.getRecordTips({ id: author.profileId })
    await expect.poll(record).toMatchObject([{ status: 'W', odds: '2.10', profit: '1.10', cashOut: [] }])
    const [tip] = await record()
    expect(tip?.settled.toISOString()).toMatch(/T00:00:00.000Z$/)
  })

  test('nothing, and a session', async () => {
    const [one, other] = [await service.member({ username: 'client', password: 'secret' }), await service.member()]
    const session = await clientOf(service).createTicket({ username: 'client', password: 'secret', extended: true })
    expect(session).toEqual({
      ticket: expect.stringMatching(/^TGT-/),
      location: `/v1/sessions/tickets/${session.ticket}`,
      expiryDateTimeZoned: expect.any(Date),
      extended: true,
    })
    const paddock = clientOf(service, session)
    expect(await paddock.followProfile({ id: other.profileId })).toBeUndefined()
    expect((await paddock.getMyProfile()).id).toBe(one.profileId)
    expect(await paddock.checkTicket(session)).toBe(true)
    expect(await paddock.endTicket(session)).toEqual({ ticket: session.ticket })
    expect(await paddock.checkTicket(session)).toBe(false)
  })
})

test('the addresses of the original API serve the same', async () => {
  const [fan, star] = [await newDepositor(service), await service.member()]
  const paddock = clientOf(service, {
    baseUrl: `${service.publicUrl}/v1`,
    ticket: fan.ticket,
    addresses: 'original',
  })
  await paddock.followProfile({ id: star.profileId })
  expect(await paddock.getMyFollowings()).toMatchObject([{ id: star.profileId, isFollowed: true }])
  const pairs = await paddock.getLatestFollowers()
  expect(pairs[0]?.map(({ relationship }) => relationship)).toEqual(['follower', 'followee'])
  expect(pairs[0]?.[1]?.id).toBe(star.profileId)
  expect(await paddock.getMostFollowedProfiles({ numDays: 1 })).toContainEqual(
    expect.objectContaining({ id: star.profileId }),
  )
  expect(await paddock.unfollowProfile({ id: star.profileId })).toEqual({ id: star.profileId, status: 'I' })
  expect((await paddock.updateMyProfile({ biography: 'Ü & ö' })).biography).toBe('Ü & ö')
  const order = { transactionType: 'deposit', amount: '10.00', id: fan.method, cv2: '123' } as const
  expect((await paddock.makeTransaction(order)).paymentDateTime).toBeInstanceOf(Date)
})

describe('faults', () => {
  test('with status 200, with another one, with a solution', async () => {
    const author = await service.member()
    const paddock = as(author)
    const wallet = await failure(paddock.getPaymentMethods())
    expect(wallet).toBeInstanceOf(PaddockFault)
    expect(wallet).toMatchObject({ code: faultCodes.noMethods, status: 200, faultName: undefined })
    const missing = await failure(paddock.getProfile({ id: 10 ** 12 }))
    expect(missing).toMatchObject({
      code: faultCodes.noProfile,
      status: 404,
      faultName: 'id',
      message: 'No profile found for id',
      faults: [{ code: '30410', message: 'No profile found for id', faultName: 'id' }],
    })
    expect(service.logged()).toContain(missing.requestId)
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const betId = await newBet(service, author.id, [outcome.id])
    const rude = await failure(paddock.createCommentOnOutcomeId({ id: outcome.id, betId, text: 'what the fuck' }))
    expect(rude).toMatchObject({ code: faultCodes.inappropriate, faultName: 'text', solution: 'what the ****' })
    expect(rude.faults).toHaveLength(1)
  })

  test('of a limit of the application: waits as long as the service says', async () => {
    const customer = await service.member()
    const limited = { name: 'Limited', rateLimit: { perSecond: 1 } }
    const { apiKey, secret } = (await service.operator('POST', '/operator/v1/applications', limited)).body
    let refusals = 0
    const counting = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      if (response.status === 429) refusals++
      return response
    }
    const paddock = clientOf(service, { apiKey, secret, ticket: customer.ticket, fetch: counting, retries: 10 })
    const answers = await Promise.all([paddock.getMyProfile(), paddock.getMyProfile(), paddock.getMyProfile()])
    expect(answers).toHaveLength(3)
    expect(refusals).toBeGreaterThan(0)
    expect(await failure(clientOf(service, { apiKey, secret: 'wrong' }).getTopOutcomes())).toMatchObject({
      code: '10020',
    })
  })
})

describe('deposits', () => {
  const order = { transactionType: 'deposit', amount: '12.50', cv2: '123' } as const

  /** The service gets the request, but its first answers are lost. */
  function losing(count: number) {
    let left = count
    return async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      await response.clone().text()
      if (left-- > 0) throw new TypeError('the line was cut')
      return response
    }
  }

  test('whose answer is lost are repeated, and made once', async () => {
    const customer = await newDepositor(service)
    const paddock = clientOf(service, { ticket: customer.ticket, fetch: losing(2) })
    const payment = await paddock.makeTransaction({ ...order, id: customer.method })
    expect(payment).toEqual({ paymentId: expect.any(String), paymentDateTime: expect.any(Date) })
    expect(Math.abs(payment.paymentDateTime.getTime() - service.clock.now())).toBeLessThan(60_000)
    expect(await depositStates(service, customer.id)).toHaveLength(1)
  })

  test('with a key of the caller answer the same again', async () => {
    const customer = await newDepositor(service)
    const paddock = as(customer)
    const keyed = { ...order, id: customer.method, idempotencyKey: 'order-7' }
    const [one, again] = [await paddock.makeTransaction(keyed).answer(), await paddock.makeTransaction(keyed).answer()]
    expect(again.value).toEqual(one.value)
    expect([one.replayed, again.replayed]).toEqual([false, true])
    expect(service.logged()).toContain(again.requestId)
    await paddock.makeTransaction({ ...order, id: customer.method })
    expect(await depositStates(service, customer.id)).toHaveLength(2)
  })

  test('a tip whose answer is lost is not repeated', async () => {
    const author = await service.member()
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const betId = await newBet(service, author.id, [outcome.id])
    const paddock = clientOf(service, { ticket: author.ticket, fetch: losing(1) })
    const error = await failure(paddock.createCommentOnOutcomeId({ id: outcome.id, betId, text: 'Once' }))
    expect(error).toMatchObject({ reason: 'connection' })
    expect(await paddock.getAllMyComments({ status: 'A' })).toHaveLength(1)
  })
})

describe('lists in blocks', () => {
  async function counted(customer: TestCustomer) {
    const paths: string[] = []
    const paddock = clientOf(service, {
      ticket: customer.ticket,
      fetch: (url, init) => {
        paths.push(url.replace(service.publicUrl, ''))
        return fetch(url, init)
      },
    })
    return { paddock, paths }
  }

  async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
    const found: T[] = []
    for await (const item of items) found.push(item)
    return found
  }

  async function followedBy(count: number) {
    const star = await service.member()
    const fans = await Promise.all(Array.from({ length: count }, () => service.member()))
    for (const fan of fans) await as(fan).followProfile({ id: star.profileId })
    return { star, fans: fans.map(({ profileId }) => profileId).reverse() }
  }

  test('are read to their end, and not beyond', async () => {
    const { star, fans } = await followedBy(5)
    const { paddock, paths } = await counted(star)
    const followers = await collected(paddock.each.getFollowers({ id: star.profileId, blockSize: 2 }))
    expect(followers.map(({ id }) => id)).toEqual(fans)
    const path = `/v1/profiles/${star.profileId}/followers?blockSize=2&blockNum=`
    // `id` stands in the path.
    expect(paths).toEqual([0, 1, 2].map((block) => path + block))
    expect(await collected(paddock.each.getMyFollowers({ blockSize: 5 }))).toHaveLength(5)
    // A full block may be the last.
    expect(paths).toHaveLength(5)
    expect(await collected(paddock.each.getMyMutes())).toEqual([])
  })

  test('are read only as far as they are wanted', async () => {
    const { star, fans } = await followedBy(3)
    const { paddock, paths } = await counted(star)
    for await (const { id } of paddock.each.getMyFollowers({ blockSize: 2 })) {
      expect(id).toBe(fans[0])
      break
    }
    expect(paths).toHaveLength(1)
    const controller = new AbortController()
    const reason = new Error('enough')
    const all = async () => {
      for await (const _ of paddock.each.getMyFollowers({ blockSize: 2 }, { signal: controller.signal })) {
        controller.abort(reason)
      }
    }
    expect(await failure(all())).toBe(reason)
  })

  test('the feed has the tips of all that are followed, newest first', async () => {
    const [reader, one, other] = [await service.member(), await service.member(), await service.member()]
    const paddock: Paddock = as(reader)
    expect(await collected(paddock.feed())).toEqual([])
    await paddock.followProfile({ id: one.profileId })
    await paddock.followProfile({ id: other.profileId })
    const tips = [await written(one, 'First'), await written(other, 'Second'), await written(one, 'Third')]
    const feed = await collected(paddock.feed({ blockSize: 2 }))
    expect(feed.map(({ text }) => text)).toEqual(['Third', 'Second', 'First'])
    expect(feed[2]?.id).toBe(tips[0]?.comment.id)
    expect(await collected(paddock.feed({ status: 'W', sortOrder: 'L' }))).toEqual([])
    const found = await collected(paddock.each.searchComments({ q: 'third' }))
    expect(found.map(({ id }) => id)).toContain(tips[2]?.comment.id)
    await as(one).likeComment({ id: feed[1]?.id as number })
    await expect
      .poll(() => collected(as(other).each.getMyNotifications()))
      .toMatchObject([{ type: 'liked', numActors: 1 }, { type: 'followed' }])
  })
})
