import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { commentIds, newBet, newMatch, newTip, operatorOk, postTip, settle } from '../harness/sportsbook.ts'

const service = useService()

test('a tip is created, read, liked, listed and deactivated', async () => {
  const [outcome] = await newMatch(service, { sportId: 3 })
  const author = await service.member()
  const betId = await newBet(service, author.id, [outcome!.id])
  const created = await postTip(service, author, outcome!.id, { betId, text: ' Home  win ', more: '&linkedId=77' })
  expect(created.status).toBe(200)
  const { comment } = created.json().whoCommunities
  expect(comment).toEqual({
    id: expect.stringMatching(/^\d+$/),
    type: 'tip',
    betId: `${betId}`,
    status: 'A',
    createdDateTimeZoned: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    text: 'Home  win',
    isFeatured: 'N',
    isFlagged: 'N',
    isLiked: 'N',
    event: {
      id: `${outcome!.eventId}`,
      sportId: '3',
      name: `Event ${outcome!.eventId}`,
      market: {
        id: `${outcome!.marketId}`,
        name: 'Match result',
        outcome: {
          id: `${outcome!.id}`,
          linkedId: '77',
          name: `Outcome ${outcome!.id}`,
          status: 'A',
          numLikes: '0',
          displayStatus: 'A',
          livePrice: { priceNum: '11', priceDen: '10', priceFrac: '11/10', priceDec: '2.10', priceUS: '110' },
        },
      },
    },
  })
  const path = `/v1/communities/comments/${comment.id}`
  const xml = await service.call('GET', path)
  expect(xml.text).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<whoCommunities><comment id="${comment.id}" type="tip"><betId>${betId}</betId><status>A</status>` +
      `<createdDateTimeZoned>${comment.createdDateTimeZoned}</createdDateTimeZoned><text>Home  win</text>` +
      `<isFeatured>N</isFeatured><event id="${outcome!.eventId}" sportId="3"><name>Event ${outcome!.eventId}</name>` +
      `<market id="${outcome!.marketId}"><name>Match result</name><outcome id="${outcome!.id}" linkedId="77">` +
      `<name>Outcome ${outcome!.id}</name><status>A</status><numLikes>0</numLikes><displayStatus>A</displayStatus>` +
      '<livePrice><priceNum>11</priceNum><priceDen>10</priceDen><priceFrac>11/10</priceFrac><priceDec>2.10</priceDec>' +
      '<priceUS>110</priceUS></livePrice></outcome></market></event></comment></whoCommunities>',
  )

  const fan = await service.member()
  expect((await service.call('POST', `${path}/like`, { ticket: fan.ticket })).status).toBe(204)
  expect((await service.call('POST', `${path}/like`, { ticket: fan.ticket })).status).toBe(204)
  expect((await service.call('POST', `${path}/like`, { ticket: author.ticket })).status).toBe(204)
  const seen = await service.call('GET', path, { ticket: fan.ticket, accept: 'application/json' })
  expect(seen.json().whoCommunities.comment).toMatchObject({
    isLiked: 'Y',
    isFlagged: 'N',
    event: { market: { outcome: { numLikes: '1' } } },
  })

  expect(await commentIds(service, `profiles/${author.profileId}?status=A`)).toEqual([Number(comment.id)])
  expect(await commentIds(service, 'profiles/me?status=A', author.ticket)).toEqual([Number(comment.id)])
  expect(await commentIds(service, 'profiles/me/followings?status=A', fan.ticket)).toEqual([])
  await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: fan.ticket })
  expect(await commentIds(service, 'profiles/me/followings?status=A', fan.ticket)).toEqual([Number(comment.id)])

  expect((await service.call('PUT', path, { ticket: fan.ticket })).status).toBe(400)
  expect((await service.call('PUT', path, { ticket: author.ticket })).status).toBe(204)
  expect((await service.call('GET', path)).text).toContain('<faultCode>30500</faultCode>')
  expect(await commentIds(service, 'profiles/me/followings?status=A', fan.ticket)).toEqual([])
})

test('settling and correcting a market updates its tips at once', async () => {
  const [home, away] = await newMatch(service)
  const author = await service.member()
  const reader = await service.member()
  await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: reader.ticket })
  const one = await newTip(service, author, home!.id)
  const other = await newTip(service, author, away!.id)
  const counts = async () => {
    const reply = await service.call('GET', `/v1/profiles/${author.profileId}?communities=Y`, {
      accept: 'application/json',
    })
    const { numLive, numWinning } = reply.json().whoProfiles[0].profile.communities.comments
    return [Number(numLive), Number(numWinning)]
  }
  const feed = async (status: string) => commentIds(service, `profiles/me/followings?status=${status}`, reader.ticket)
  const shown = async (id: number) => {
    const reply = await service.call('GET', `/v1/communities/comments/${id}`, { accept: 'application/json' })
    const { status, event } = reply.json().whoCommunities.comment
    return [status, event.market.outcome.status, event.market.outcome.displayStatus]
  }
  expect(await counts()).toEqual([2, 0])
  expect(await feed('A')).toEqual([other, one])

  await operatorOk(service, 'PATCH', `/outcomes/${home!.id}`, { status: 'suspended' })
  expect(await shown(one)).toEqual(['A', 'S', 'I'])
  await operatorOk(service, 'PATCH', `/outcomes/${home!.id}`, { status: 'active' })
  expect(await shown(one)).toEqual(['A', 'A', 'A'])

  const results = (first: string, second: string) =>
    operatorOk(service, 'POST', `/markets/${home!.marketId}/settlement`, {
      results: { [home!.id]: first, [away!.id]: second },
    })
  expect(await results('win', 'lose')).toEqual({ settled: 2, corrected: 0 })
  expect(await counts()).toEqual([0, 1])
  expect([await feed('A'), await feed('W')]).toEqual([[], [one]])
  expect([await shown(one), await shown(other)]).toEqual([
    ['W', 'A', 'I'],
    ['L', 'A', 'I'],
  ])
  expect(await results('void', 'win')).toEqual({ settled: 0, corrected: 2 })
  expect(await counts()).toEqual([0, 1])
  expect([await feed('A'), await feed('W')]).toEqual([[], [other]])
  expect(await shown(one)).toEqual(['A', 'A', 'I'])
  expect(await results('void', 'win')).toEqual({ settled: 0, corrected: 0 })
})

test('the top outcomes are those with the most live tips, and lose them when settled', async () => {
  const [outcome] = await newMatch(service)
  const authors = [await service.member(), await service.member(), await service.member()]
  const tips = []
  for (const author of authors) tips.push(await newTip(service, author, outcome!.id))
  await service.call('POST', `/v1/communities/comments/${tips[0]}/like`, { ticket: authors[1]!.ticket })
  const first = async () => {
    const reply = await service.call('GET', '/v1/communities/comments/outcomes/top', { accept: 'application/json' })
    const events = reply.status === 204 ? [] : [reply.json().whoCommunities.event].flat()
    return events.map((event) => event.market.outcome).find(({ id }) => id === `${outcome!.id}`)
  }
  expect(await first()).toEqual({
    id: `${outcome!.id}`,
    rank: '1',
    name: `Outcome ${outcome!.id}`,
    status: 'A',
    numLikes: '1',
    displayStatus: 'A',
    startingPrice: 'N',
    comments: { type: 'tip', numLive: '3' },
    livePrice: expect.anything(),
  })
  await service.call('PUT', `/v1/communities/comments/${tips[0]}`, { ticket: authors[0]!.ticket })
  expect(await first()).toMatchObject({ numLikes: '0', comments: { numLive: '2' } })
  await settle(service, outcome!, 'lose')
  expect(await first()).toBeUndefined()
})
