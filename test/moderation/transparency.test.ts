import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { writing } from '../../src/platform/database/database.ts'
import { appealed, decide, keptTip, removedTip } from '../harness/appeals.ts'
import { OPERATOR_TOKEN, useService } from '../harness/service.ts'
import { newToken } from '../operator/cases.ts'

const service = useService()
const PATH = '/operator/v1/moderation/transparency'
const HOUR = 3_600_000
const NOON = Date.parse('2025-05-05T12:00:00Z')

const setTimes = writing<{ id: number; at: number; flaggedAt: number }>(
  'setTimesOfDecision',
  'update decision set at = :at, flagged_at = :flaggedAt where id = :id',
)
const setAppealTimes = writing<{ id: number; at: number; decidedAt: number | null }>(
  'setTimesOfAppeal',
  'update appeal set made_at = :at, decided_at = cast(:decidedAt as bigint) where id = :id',
)
const setFlagTimes = writing<{ at: number }>('setTimesOfFlags', 'update flag set created_at = :at')

beforeAll(async () => {
  const { database } = service.context
  const judge = (await newToken(service, 'moderator')).token
  const made = [
    await removedTip(service, { clause: 'spam' }),
    await removedTip(service, { clause: 'spam', statement: '=cmd|about Larry' }),
    await removedTip(service, { clause: 'illegal-content' }),
    await keptTip(service),
  ]
  const outcomes = ['overturned', 'upheld', null, 'upheld']
  for (const [index, { author, reporter, decisionId }] of made.entries()) {
    // 1, 2, 3 and 10 hours: the median is 2.5.
    const waited = [1, 2, 3, 10][index] as number
    const id = await appealed(service, index === 3 ? reporter : author, decisionId)
    const outcome = outcomes[index] ?? null
    if (outcome !== null) await decide(service, `appeals/${id}`, { outcome, reply: 'R' }, judge)
    await database.run(setTimes, { id: decisionId, at: NOON + index, flaggedAt: NOON + index - waited * HOUR })
    // 4, 5 and 9 hours: the median is 5.
    const decidedAt = outcome === null ? null : NOON + ([4, 5, 0, 9][index] as number) * HOUR
    await database.run(setAppealTimes, { id, at: NOON, decidedAt })
  }
  await database.run(setFlagTimes, { at: NOON })
})

test('counts by action, ground and clause, with medians', async () => {
  const { body } = await service.operator('GET', `${PATH}?from=2025-05-05&to=2025-05-05`)
  const row = { automated: false, kind: 'comment' }
  expect(body).toEqual({
    from: '2025-05-05',
    to: '2025-05-05',
    decisions: [
      { ...row, action: 'keep', ground: null, clause: null, count: 1, overturned: 0 },
      { ...row, action: 'remove', ground: 'law', clause: 'illegal-content', count: 1, overturned: 0 },
      { ...row, action: 'remove', ground: 'terms', clause: 'spam', count: 2, overturned: 1 },
    ],
    medianHoursToDecision: 2.5,
    flags: [{ reason: null, count: 4 }],
    appeals: { made: 4, byAuthors: 3, byReporters: 1, open: 1, upheld: 2, overturned: 1, medianHours: 5 },
  })
})

test('of each moderator: decisions, the median time from the flag, and how many did not hold', async () => {
  const { body } = await service.operator('GET', '/operator/v1/moderation/moderators?from=2025-05-05&to=2025-05-05')
  // The answers to appeals are not counted; the decision that was overturned is.
  expect(body).toEqual({
    from: '2025-05-05',
    to: '2025-05-05',
    moderators: [{ name: 'bootstrap', decisions: 4, restricting: 3, overturned: 1, medianMinutes: 150 }],
  })
  const { body: recent } = await service.operator(
    'GET',
    '/operator/v1/moderation/moderators?from=2020-01-01&to=2020-12-31',
  )
  expect(recent.moderators).toEqual([])
})

test('a period without anything, and the last 30 days by default', async () => {
  const { body } = await service.operator('GET', `${PATH}?from=2020-01-01&to=2020-12-31`)
  expect(body).toMatchObject({
    decisions: [],
    medianHoursToDecision: null,
    flags: [],
    appeals: { made: 0, medianHours: null },
  })
  const { body: recent } = await service.operator('GET', PATH)
  expect((Date.parse(recent.to) - Date.parse(recent.from)) / (24 * HOUR)).toBe(29)
})

test.each(['from=2025-02-30', 'from=2025-05-06&to=2025-05-05', 'from=2023-01-01&to=2025-05-05', 'to=yesterday'])(
  '%s is refused',
  async (query) => {
    expect((await service.operator('GET', `${PATH}?${query}`)).status).toBe(422)
    expect((await service.operator('GET', `${PATH}/statements.csv?${query}`)).status).toBe(422)
    expect((await service.operator('GET', `/operator/v1/moderation/moderators?${query}`)).status).toBe(422)
  },
)

test('the file has the restricting decisions, and no personal data', async () => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const address = `${service.operatorUrl}${PATH}/statements.csv?from=2025-05-05&to=2025-05-05`
  const reply = await fetch(address, { headers })
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const text = await reply.text()
  expect(text).not.toContain('Larry')
  const rows = parse(text, { columns: true }) as Record<string, string>[]
  expect(
    rows.map(({ kind, action, ground, clause, title, statement, overturned }) => [
      ...[kind, action, ground, clause, title, statement !== '', overturned],
    ]),
  ).toEqual([
    ['comment', 'remove', 'terms', 'spam', 'Spam and advertising', true, 'yes'],
    ['comment', 'remove', 'terms', 'spam', 'Spam and advertising', false, 'no'],
    ['comment', 'remove', 'law', 'illegal-content', 'Illegal content', true, 'no'],
  ])
})
