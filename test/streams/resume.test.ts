// Clients that come back: what they missed, once and in order, and what ends a stream.

import { afterEach, describe, expect, test } from 'vitest'
import { deleteOldEvents } from '../../src/event-log/retention.ts'
import { eventList, logEvents, newestPosition } from '../../src/event-log/store.ts'
import { type Listener, listen } from '../harness/event-source.ts'
import { metric } from '../harness/metric.ts'
import { positioned } from '../harness/notifications.ts'
import { credentials, openConnection } from '../harness/raw-connection.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
/** Disconnects a client that does not read after a minute. */
const patient = useService({ RESPONSE_TIMEOUT_MS: '600000', STREAM_HEARTBEAT_SECONDS: '60' })
const listeners: Listener[] = []
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close()
})

type Member = TestCustomer & { profileId: number }

function connect(customer: TestCustomer, lastEventId?: number): Listener {
  const listener = listen(service.publicUrl, { ...customer, ...(lastEventId === undefined ? {} : { lastEventId }) })
  listeners.push(listener)
  return listener
}

async function connected(customer: TestCustomer, lastEventId?: number): Promise<Listener> {
  const listener = connect(customer, lastEventId)
  await listener.greeted()
  return listener
}

/** Events of tips of this profile, numbered by their subjects, in one transaction; `outcomeId` makes them longer. */
async function happen(
  { profileId }: Member,
  from: number,
  count: number,
  outcomeId = '1',
  on = service,
): Promise<void> {
  const data = JSON.stringify({ outcomeId, result: 'win' })
  const event = (subject: number) => ({
    kind: 'tip.settled' as const,
    subject_type: 'comment' as const,
    subject_id: `${subject}`,
    profile_id: profileId,
    customer_id: null,
    at: Date.now(),
    data,
  })
  const rows = Array.from({ length: count }, (_, index) => event(from + index))
  await on.context.database.run(logEvents, { rows: eventList.of(rows) })
}

const newest = async () => (await service.context.database.one(newestPosition, {}))?.position ?? 0
const subjects = (listener: Listener) => listener.events().map(({ data }) => Number(data.subject.id))
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)
const ended = (reason: string, on = service) => {
  const count = metric(on.context.metrics.render(), `paddock_streams_ended_total{reason="${reason}"}`)
  return Number.isNaN(count) ? 0 : count
}

describe('a client that comes back', () => {
  test('gets what it missed, in several blocks, and goes on', async () => {
    const [member, author] = [await service.member(), await service.member()]
    await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: member.ticket })
    const before = await connected(member)
    await happen(member, 0, 3)
    await before.until(3)
    before.close()
    const [{ id }] = (await newMatch(service)) as [TestOutcome]
    const tip = await newTip(service, author, id)
    await happen(member, 3, 700)
    const after = connect(member, before.last())
    await happen(member, 703, 100)
    await after.until(801)
    await after.greeted()
    expect(after.greetings()).toEqual(['ready'])
    expect(subjects(after).filter((subject) => subject !== tip)).toEqual(numbers(800, 3))
    expect(after.summary()[0]).toBe(`tip.created comment ${tip}`)
  })

  test('while much happens, misses nothing and gets nothing twice', async () => {
    const member = await service.member()
    const first = await connected(member)
    let written = 0
    const writing = (async () => {
      for (; written < 3_000; written += 50) {
        await happen(member, written, 50)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })()
    const received: number[] = []
    let listener = first
    while (received.length < 3_000) {
      await listener.until(1)
      listener.close()
      received.push(...subjects(listener))
      if (received.length < 3_000) listener = connect(member, listener.last())
    }
    await writing
    expect(received).toEqual(numbers(3_000))
  })

  test('gets reset when its position does not exist, or is no longer stored', async () => {
    const member = await service.member()
    const first = await connected(member)
    await happen(member, 0, 5)
    // What the service has not read yet, it would send to new streams too.
    await first.until(5)
    for (const unknown of [(await newest()) + 1_000, Number.MAX_SAFE_INTEGER]) {
      const listener = await connected(member, unknown)
      expect([listener.greetings(), listener.events()]).toEqual([['reset'], []])
      listener.close()
    }
    await deleteOldEvents(service.context.database, Date.now() + 3_600_000)
    const listener = await connected(member, 1)
    expect([listener.greetings(), listener.last()]).toEqual([['reset'], await newest()])
    await happen(member, 5, 1)
    await listener.until(1)
    expect(subjects(listener)).toEqual([5])
    const oldest = await connected(member, (await newest()) - 1)
    expect([oldest.greetings(), subjects(oldest)]).toEqual([['ready'], [5]])
  })
})

test('a client that does not read is disconnected, and gets everything when it comes back', async () => {
  const member = await service.member()
  const connection = await openConnection(service.publicUrl)
  connection.send(`GET /v1/stream HTTP/1.1\r\n${credentials()}who-ticket: ${member.ticket}\r\n\r\n`)
  const head = await connection.until(/event: ready\n.*\n\n/)
  connection.pause()
  const before = ended('slow')
  // Much more than the operating system buffers.
  for (let from = 0; from < 12_000; from += 500) await happen(member, from, 500, '7'.repeat(2_000))
  await expect.poll(() => ended('slow'), { interval: 50 }).toBe(before + 1)
  connection.destroy()
  const listener = connect(member, Number(/^id: (\d+)$/m.exec(head)?.[1]))
  await listener.until(12_000)
  expect(subjects(listener)).toEqual(numbers(12_000))
})

test('clients that resume and read nothing do not delay another that comes back', async () => {
  const [member, other] = [await patient.member(), await patient.member()]
  const before = (await patient.context.database.one(newestPosition, {}))?.position ?? 0
  // 60 MB: much more than the operating system buffers.
  for (let from = 0; from < 3_000; from += 250) await happen(member, from, 250, '7'.repeat(20_000), patient)
  await happen(other, 0, 3, '1', patient)
  await positioned(patient.context.database)
  const stalled = await openConnection(patient.publicUrl)
  const path = `/v1/stream?lastEventId=${before}`
  stalled.send(`GET ${path} HTTP/1.1\r\n${credentials()}who-ticket: ${member.ticket}\r\n\r\n`)
  await stalled.until(/event: tip.settled\n/)
  stalled.pause()
  const listener = listen(patient.publicUrl, { ...other, lastEventId: before })
  listeners.push(listener)
  await listener.greeted()
  expect(subjects(listener)).toEqual([0, 1, 2])
  expect(ended('slow', patient)).toBe(0)
  stalled.destroy()
})
