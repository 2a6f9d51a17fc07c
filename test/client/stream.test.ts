// The event stream of the client: typed events, and resuming where it was when the connection is cut.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Paddock, StreamEvent, StreamState, WatchedState } from '../../clients/typescript/src/index.ts'
import { clientOf } from '../harness/client.ts'
import { type FreezableProxy, freezableProxy } from '../harness/freezable-proxy.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
let proxy: FreezableProxy
beforeAll(async () => {
  proxy = await freezableProxy(Number(new URL(service.publicUrl).port))
})
afterAll(() => proxy.close())

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
})

/** Reads in the background. */
function reading(paddock: Paddock, lastEventId?: number) {
  const stop = new AbortController()
  stops.push(stop)
  const events: StreamEvent[] = []
  let reconnects = 0
  const onReconnect = () => {
    reconnects++
  }
  const ended = (async () => {
    for await (const event of paddock.events({ signal: stop.signal, lastEventId, onReconnect })) events.push(event)
  })()
  return { events, ended, stop: () => stop.abort(), reconnects: () => reconnects }
}

const throughProxy = ({ ticket }: TestCustomer) => clientOf({ publicUrl: `http://127.0.0.1:${proxy.port}` }, { ticket })
const types = (events: readonly StreamEvent[]) => events.map(({ type }) => type)

describe('the stream', () => {
  test('has typed events, with ids as numbers', async () => {
    const [member, fan] = [await service.member(), await service.member()]
    const stream = reading(clientOf(service, { ticket: member.ticket }))
    await expect.poll(() => types(stream.events)).toEqual(['ready'])
    await clientOf(service, { ticket: fan.ticket }).followProfile({ id: member.profileId })
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const tip = await newTip(service, member, outcome.id)
    await settle(service, outcome, 'win')
    await expect.poll(() => types(stream.events)).toEqual(['ready', 'follow.created', 'tip.settled'])
    const [, follow, settled] = stream.events
    expect(follow).toEqual({
      position: expect.any(Number),
      id: expect.stringMatching(/^evt_/),
      type: 'follow.created',
      timestamp: expect.any(Date),
      subject: { type: 'profile', id: member.profileId },
      profileId: member.profileId,
      data: { byProfileId: fan.profileId },
    })
    if (settled?.type !== 'tip.settled') throw new Error('it is the last event')
    expect([settled.subject.id, settled.data.outcomeId, settled.data.result]).toEqual([tip, outcome.id, 'win'])
    stream.stop()
    await stream.ended
  })

  test('tells the states of watched outcomes and of the account, again after the connection was cut', async () => {
    const member = await service.member()
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const stop = new AbortController()
    stops.push(stop)
    const told: (StreamEvent | WatchedState)[] = []
    const watching = { outcomes: [outcome.id], account: true, signal: stop.signal }
    const ended = (async () => {
      for await (const one of throughProxy(member).events(watching)) told.push(one)
    })()
    const last = <Type extends WatchedState['type']>(type: Type) =>
      told.findLast((one): one is Extract<WatchedState, { type: Type }> => one.type === type)
    await expect.poll(() => last('outcome')).toMatchObject({ outcomeId: outcome.id, eventId: outcome.eventId })
    expect(last('outcome')?.livePrice?.priceDec).toBe('2.10')
    await expect
      .poll(() => last('account'))
      .toEqual({
        ...{ type: 'account', balance: '0.00', currency: 'GBP', newestUnreadId: null },
      })
    expect(last('event')).toMatchObject({ eventId: outcome.eventId, status: 'upcoming', startTime: expect.any(Date) })
    proxy.cut()
    await operatorOk(service, 'PATCH', `/outcomes/${outcome.id}`, { price: { num: 5, den: 2 } })
    await expect.poll(() => last('outcome')?.livePrice?.priceNum).toBe(5)
    const tip = await newTip(service, member, outcome.id)
    const { id: outcomeId } = outcome
    const expected = { type: 'tip', commentId: tip, outcomeId, profileId: member.profileId }
    await expect.poll(() => last('tip')).toEqual(expected)
    stop.abort()
    await ended
  })

  test('comes back after the connection was cut, and misses nothing', async () => {
    const [member, one, other] = [await service.member(), await service.member(), await service.member()]
    const stream = reading(throughProxy(member))
    await expect.poll(() => types(stream.events)).toEqual(['ready'])
    await clientOf(service, { ticket: one.ticket }).followProfile({ id: member.profileId })
    await expect.poll(() => stream.events).toHaveLength(2)
    proxy.cut()
    await clientOf(service, { ticket: other.ticket }).followProfile({ id: member.profileId })
    // What was missed comes before or after `ready`: the log may be read while the stream is opened.
    const missed = ['follow.created', 'ready']
    await expect.poll(() => types(stream.events.slice(2)).sort()).toEqual(missed)
    const data = stream.events.flatMap((event) => (event.type === 'follow.created' ? [event.data] : []))
    expect(data).toEqual([{ byProfileId: one.profileId }, { byProfileId: other.profileId }])
    expect(stream.reconnects()).toBe(1)
  })

  test('begins after an event that is named, and says so when that is lost', async () => {
    const [member, fan] = [await service.member(), await service.member()]
    const first = reading(clientOf(service, { ticket: member.ticket }))
    await expect.poll(() => types(first.events)).toEqual(['ready'])
    const [{ position }] = first.events as [StreamState]
    first.stop()
    await clientOf(service, { ticket: fan.ticket }).followProfile({ id: member.profileId })
    const later = reading(clientOf(service, { ticket: member.ticket }), position)
    await expect.poll(() => types(later.events).sort()).toEqual(['follow.created', 'ready'])
    const lost = reading(clientOf(service, { ticket: member.ticket }), 10 ** 9)
    await expect.poll(() => types(lost.events)).toEqual(['reset'])
  })

  test('ends quietly with its signal, and when its reader stops', async () => {
    const member = await service.member()
    const stream = reading(throughProxy(member))
    await expect.poll(() => types(stream.events)).toEqual(['ready'])
    stream.stop()
    await stream.ended
    for await (const { type } of throughProxy(member).events()) {
      expect(type).toBe('ready')
      break
    }
    for await (const _ of throughProxy(member).events({ signal: AbortSignal.abort() })) expect.fail('it has ended')
    await expect.poll(() => service.context.metrics.render()).toContain('paddock_streams 0')
  })

  test('ends with a fault that coming back would not change', async () => {
    const member = await service.member()
    const stream = reading(throughProxy(member))
    await expect.poll(() => types(stream.events)).toEqual(['ready'])
    await clientOf(service).endTicket(member)
    service.context.tickets.forget(member.ticket)
    proxy.cut()
    await expect(stream.ended).rejects.toMatchObject({ code: '10071', status: 401, faultName: 'who-ticket' })
  })
})
