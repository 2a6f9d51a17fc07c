// From a flag to an overturned appeal, as the author, the reporter and the moderators see it.

import { describe, expect, test } from 'vitest'
import { watchModeration } from '../../src/moderation/appeals/appeals.ts'
import { APPEAL_MS } from '../../src/moderation/decisions/actions.ts'
import {
  appeal,
  appealed,
  decide,
  flagTip,
  keptTip,
  MODERATION,
  ownDecisions,
  removedTip,
  tipBy,
} from '../harness/appeals.ts'
import { caughtUp, notificationsOf } from '../harness/notifications.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newToken } from '../operator/cases.ts'

const service = useService()
const TEMPLATE = 'Our moderators found that this content breaks our community rules.'

const queue = async (query = '', token?: string) =>
  (await service.operator('GET', `/operator/v1/moderation/queue?kind=appeal${query}`, undefined, token)).body

async function notices({ ticket }: TestCustomer): Promise<Json[]> {
  await caughtUp(service.context.database)
  const { notification } = await notificationsOf(service, ticket)
  return notification.map(({ type, action, decisionId }) => [type, action, Number(decisionId)])
}

test('whoever is alone decides appeals against their own decisions', async () => {
  const { author, decisionId } = await removedTip(service)
  const id = await appealed(service, author, decisionId)
  const { decidedBy } = await decide(service, `appeals/${id}`, { outcome: 'upheld', reply: 'The rules are clear.' })
  expect(decidedBy).toBe('bootstrap')
})

/** Somebody else than the token of the tests, which decides first. */
let other: string

async function answerAppeal(id: number, body: object): Promise<Json> {
  other ??= (await newToken(service, 'moderator')).token
  return decide(service, `appeals/${id}`, body, other)
}

test('a decision that neither upholds nor rejects a flag does not concern its reporter', async () => {
  const [author, reporter] = [await service.member(), await service.member()]
  const tip = await tipBy(service, author)
  await decide(service, `comments/${tip}`, { action: 'feature' })
  await flagTip(service, reporter, tip)
  const { decisions } = await decide(service, `comments/${tip}`, { action: 'unfeature' })
  expect(await notices(reporter)).toEqual([])
  expect(await ownDecisions(service, reporter)).toEqual([])
  expect((await appeal(service, reporter, Number(decisions.at(-1).id))).status).toBe(404)
})

test('the story from a flag to an overturned appeal', async () => {
  const ann = await newToken(service, 'moderator')
  const ben = await newToken(service, 'moderator')
  const reasons = { ground: 'law', clause: 'illegal-content', statement: 'It names a jockey who was charged.' }
  const { author, reporter, tip, decisionId } = await removedTip(service, { ...reasons, note: 'court' }, ann.token)

  // Author and reporter are notified once, and read what concerns them.
  expect(await notices(author)).toEqual([['decision', 'remove', decisionId]])
  expect(await notices(reporter)).toEqual([['report', 'upheld', decisionId]])
  const [own] = await ownDecisions(service, author)
  expect(own).toEqual({
    id: `${decisionId}`,
    party: 'author',
    type: 'comment',
    subjectId: `${tip}`,
    createdDateTimeZoned: expect.any(String),
    isAutomated: 'N',
    action: 'remove',
    ...reasons,
    text: 'A fine price',
    isOverturned: 'N',
    isAppealable: 'Y',
    appealUntilDateTimeZoned: expect.any(String),
  })
  expect(await ownDecisions(service, reporter)).toEqual([
    {
      id: `${decisionId}`,
      party: 'reporter',
      type: 'comment',
      subjectId: `${tip}`,
      createdDateTimeZoned: own.createdDateTimeZoned,
      isAutomated: 'N',
      isUpheld: 'Y',
      isOverturned: 'N',
      isAppealable: 'N',
    },
  ])

  // The appeal waits in the queue, with what a moderator needs.
  const id = await appealed(service, author, decisionId)
  const item = (await queue()).items.find((one: Json) => one.id === `${id}`)
  expect(item).toMatchObject({
    kind: 'appeal',
    party: 'author',
    by: { customerId: `${author.id}`, profileId: `${author.profileId}` },
    text: 'Please read it again',
    state: 'open',
    reply: null,
    decision: { id: `${decisionId}`, action: 'remove', actor: ann.name, ...reasons },
    putsBack: true,
    subject: { kind: 'comment', id: `${tip}`, content: { state: 'removed' } },
  })

  // Not by whoever decided first.
  const path = `/operator/v1/moderation/appeals/${id}`
  const answer = { outcome: 'overturned', reply: 'The charge was dropped. Sorry.', version: item.version }
  const own409 = await service.operator('POST', path, answer, ann.token)
  expect([own409.status, own409.body.detail]).toEqual([409, expect.stringContaining('You made the decision')])
  const overturned = await decide(service, `appeals/${id}`, answer, ben.token)
  expect(overturned).toMatchObject({
    state: 'overturned',
    decidedBy: ben.name,
    subject: { content: { state: 'live' } },
  })
  expect(overturned.subject.decisions.map(({ action, overturned: was }: Json) => [action, was])).toEqual([
    ['remove', true],
    ['overturn', undefined],
  ])
  expect((await service.call('GET', `/v1/communities/comments/${tip}`)).status).toBe(200)

  // Both read the result; the flag is no longer upheld.
  const [undone, before] = await ownDecisions(service, author)
  expect(undone).toMatchObject({ action: 'overturn', isAppealable: 'N' })
  expect(before).toMatchObject({ isOverturned: 'Y', appeal: { state: 'overturned', reply: answer.reply } })
  expect((await ownDecisions(service, reporter))[0]).toMatchObject({ isUpheld: 'N', isAppealable: 'N' })
  expect(await notices(author)).toEqual([
    ['appeal', 'overturned', decisionId],
    ['decision', 'remove', decisionId],
  ])
  expect(await notices(reporter)).toEqual([['report', 'upheld', decisionId]])

  // Nothing flips twice.
  const again = await service.operator('POST', path, { outcome: 'upheld', reply: 'No' }, ben.token)
  expect([again.status, again.body.current.state]).toEqual([409, 'overturned'])
})

describe('reasons of a decision', () => {
  test('without them: the clause general, with its template', async () => {
    const { author } = await removedTip(service)
    expect((await ownDecisions(service, author))[0]).toMatchObject({
      ...{ ground: 'terms', clause: 'general', statement: TEMPLATE },
    })
  })

  test('a clause alone brings its ground and template', async () => {
    const { author } = await removedTip(service, { clause: 'illegal-content' })
    expect((await ownDecisions(service, author))[0]).toMatchObject({
      ground: 'law',
      statement: expect.stringContaining('illegal'),
    })
  })

  test.each([
    { action: 'remove', clause: 'unheard-of' },
    { action: 'remove', clause: 'NOT A KEY' },
    { action: 'remove', ground: 'taste' },
    { action: 'remove', statement: 'a'.repeat(1001) },
    { action: 'keep', clause: 'spam' },
    { action: 'feature', statement: 'Well done' },
  ])('%j is refused, and changes nothing', async (body) => {
    const tip = await tipBy(service, await service.member())
    expect((await service.operator('POST', `/operator/v1/moderation/comments/${tip}`, body)).status).toBe(422)
    const { body: subject } = await service.operator('GET', `/operator/v1/moderation/comments/${tip}`)
    expect([subject.content.state, subject.decisions]).toEqual(['live', []])
  })

  test('admins edit the clauses; the general one stays', async () => {
    const path = '/operator/v1/moderation/clauses'
    const { body: before } = await service.operator('GET', path)
    expect(before.clauses.map(({ key }: Json) => key)).toEqual([
      ...['general', 'spam', 'abuse', 'false-claim', 'inside-information', 'harm', 'illegal-content'],
    ])
    const clause = { key: 'doping', ground: 'terms', title: 'Doping', template: 'No claims about doping.' }
    const { version, ...texts } = before
    const change = { ...texts, clauses: [...before.clauses, clause] }
    expect((await service.operator('PUT', path, { ...change, version })).body).toEqual({
      ...change,
      version: version + 1,
    })
    expect((await service.operator('PUT', path, { ...change, version })).status).toBe(409)
    expect((await service.operator('PUT', path, { ...texts, clauses: [clause] })).status).toBe(422)
    expect(
      (await service.operator('PUT', path, { ...texts, clauses: [...before.clauses, ...before.clauses] })).status,
    ).toBe(422)
    const { author } = await removedTip(service, { clause: 'doping' })
    expect((await ownDecisions(service, author))[0]).toMatchObject({ statement: clause.template })
  })
})

describe('appeals', () => {
  test('an upheld one leaves everything as it is, and the reply is read', async () => {
    const { author, decisionId } = await removedTip(service)
    const id = await appealed(service, author, decisionId)
    const { subject } = await answerAppeal(id, { outcome: 'upheld', reply: 'The rules are clear.' })
    expect([subject.content.state, subject.decisions.length]).toEqual(['removed', 1])
    expect((await ownDecisions(service, author))[0].appeal).toMatchObject({
      state: 'upheld',
      reply: 'The rules are clear.',
    })
    expect((await notices(author))[0]).toEqual(['appeal', 'upheld', decisionId])
  })

  test('of a reporter: the moderator takes the action now, and all who appealed are answered', async () => {
    const { author, reporter, tip } = await keptTip(service)
    const [{ id: kept }] = await ownDecisions(service, reporter)
    const id = await appealed(service, reporter, Number(kept))
    const body = { outcome: 'overturned', reply: 'You are right.' }
    for (const wrong of [body, { ...body, action: 'deactivate' }, { ...body, outcome: 'upheld', action: 'remove' }]) {
      expect((await service.operator('POST', `/operator/v1/moderation/appeals/${id}`, wrong, other)).status).toBe(422)
    }
    const after = await answerAppeal(id, { ...body, action: 'remove', clause: 'spam' })
    expect(after).toMatchObject({ state: 'overturned', subject: { content: { state: 'removed' } } })
    expect(
      (await ownDecisions(service, reporter)).map(({ isUpheld, isOverturned }) => [isUpheld, isOverturned]),
    ).toEqual([['Y', 'Y']])
    const [restriction] = await ownDecisions(service, author)
    expect(restriction).toMatchObject({ action: 'remove', clause: 'spam', isAppealable: 'Y', subjectId: `${tip}` })
    expect(await notices(author)).toEqual([['decision', 'remove', Number(restriction.id)]])
    expect(await notices(reporter)).toEqual([
      ['appeal', 'overturned', Number(kept)],
      ['report', 'rejected', Number(kept)],
    ])
  })

  test('one that changes the profile of another is refused when its subject has changed', async () => {
    const { author, decisionId, tip } = await removedTip(service)
    const id = await appealed(service, author, decisionId)
    const { version } = (await service.operator('GET', `/operator/v1/moderation/appeals/${id}`)).body
    await decide(service, `comments/${tip}`, { action: 'restore' })
    const path = `/operator/v1/moderation/appeals/${id}`
    const stale = await service.operator('POST', path, { outcome: 'overturned', reply: 'Sorry', version }, other)
    expect([stale.status, stale.body.current.putsBack]).toEqual([409, false])
    // Restored already: the decision is overturned, and nothing is restored twice.
    const { subject } = await answerAppeal(id, { outcome: 'overturned', reply: 'Sorry' })
    expect([subject.content.state, subject.decisions.map(({ action }: Json) => action)]).toEqual([
      ...['live', ['remove', 'restore', 'overturn']],
    ])
  })

  test('two moderators at once: one wins', async () => {
    const tokens = [await newToken(service, 'moderator'), await newToken(service, 'moderator')]
    for (let round = 0; round < 5; round++) {
      const { author, decisionId } = await removedTip(service)
      const id = await appealed(service, author, decisionId)
      const replies = await Promise.all(
        tokens.map(({ token }, index) => {
          const outcome = (index + round) % 2 === 0 ? 'overturned' : 'upheld'
          return service.operator('POST', `/operator/v1/moderation/appeals/${id}`, { outcome, reply: 'R' }, token)
        }),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
      const { body } = await service.operator('GET', `/operator/v1/moderation/appeals/${id}`)
      expect(body.subject.content.state).toBe(body.state === 'overturned' ? 'live' : 'removed')
    }
  })

  test('two appeals at once: one is stored', async () => {
    const { author, decisionId } = await removedTip(service)
    const replies = await Promise.all([1, 2, 3].map(() => appeal(service, author, decisionId)))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409, 409])
  })

  test('pages are oldest first, exact, and counted', async () => {
    const ids: number[] = []
    for (let number = 0; number < 3; number++) {
      const { author, decisionId } = await removedTip(service)
      ids.push(await appealed(service, author, decisionId))
    }
    const read: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Json = await queue(`&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      read.push(...page.items.map(({ id }: Json) => Number(id)))
      cursor = page.cursor
    }
    expect(read).toEqual([...read].sort((one, other) => one - other))
    expect(read.slice(-3)).toEqual(ids)
    expect((await queue()).waiting).toBe(read.length)
    await watchModeration(service.context)
    const metrics = await (await fetch(`${service.operatorUrl}/metrics`)).text()
    expect(metrics).toContain(`paddock_appeals_waiting ${read.length}\n`)
    expect(metrics).toMatch(/^paddock_appeals_waiting_oldest_seconds [0-9.]+$/m)
  })

  test('text in a form, with lines, is stored as other texts are', async () => {
    const { author, decisionId } = await removedTip(service)
    const body = `text=${encodeURIComponent('  One\r\nTwo e\u0301 ')}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const path = `${MODERATION}/${decisionId}/appeal`
    expect((await service.call('POST', path, { ticket: author.ticket, body, headers })).status).toBe(204)
    expect((await ownDecisions(service, author))[0].appeal.text).toBe('One\nTwo é')
  })

  test('a deactivated profile’s customer still reads and appeals', async () => {
    const author = await service.member()
    await decide(service, `profiles/${author.profileId}`, { action: 'deactivate', clause: 'abuse' })
    const [decision] = await ownDecisions(service, author)
    expect(decision).toMatchObject({ type: 'profile', action: 'deactivate', isAppealable: 'Y' })
    expect((await appeal(service, author, Number(decision.id))).status).toBe(204)
  })

  test('the list is exact under paging, newest first, as author and reporter', async () => {
    const member = await service.member()
    for (let number = 0; number < 5; number++) {
      const tip = await tipBy(service, number % 2 === 0 ? member : await service.member())
      if (number % 2 === 1) await flagTip(service, member, tip)
      await decide(service, `comments/${tip}`, { action: 'remove' })
    }
    const all = await ownDecisions(service, member)
    expect(all.map(({ party }) => party)).toEqual(['author', 'reporter', 'author', 'reporter', 'author'])
    const { ticket } = member
    const pages = await Promise.all(
      [0, 1, 2, 3].map(async (block) => {
        const path = `${MODERATION}?blockSize=2&blockNum=${block}`
        const reply = await service.call('GET', path, { ticket, accept: 'application/json' })
        return reply.status === 204 ? [] : [reply.json().whoDecisions.decision].flat()
      }),
    )
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1, 0])
    expect(pages.flat()).toEqual(all)
  })

  test('after 183 days nothing can be appealed', async () => {
    const { author, decisionId } = await removedTip(service)
    service.clock.advance(APPEAL_MS)
    const fresh = await service.context.sessions?.issue(author.id, null)
    const reader = { ...author, ticket: fresh?.ticket ?? '' }
    expect((await ownDecisions(service, reader))[0]).toMatchObject({ isAppealable: 'N' })
    expect((await appeal(service, reader, decisionId)).status).toBe(400)
  })
})
