// What flags weigh: random flags, decisions, marks and overturned decisions give the weights of a naive computation, and
// races leave exact sums.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overturnVerdicts, reweighFlagsOfReporters } from '../../src/flags/weights.ts'
import { type NoParameters, reading, writing } from '../../src/platform/database/database.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'
import { untilAvailable, untilDone } from '../harness/until-available.ts'

const service = useService({ LOG_LEVEL: 'silent' })
type Member = TestCustomer & { profileId: number }
type Kind = 'profile' | 'comment'

const members = (count: number): Promise<Member[]> => Promise.all(Array.from({ length: count }, () => service.member()))

const caughtUp = () => untilDone(() => reweighFlagsOfReporters(service.context.database))

async function operatorOk(method: string, path: string, body?: unknown): Promise<Json> {
  const reply = await service.operator(method, `/operator/v1${path}`, body)
  expect([path, reply.status]).toEqual([path, 200])
  return reply.body
}

const react = (method: 'POST' | 'DELETE', id: number, { ticket }: Member) =>
  service.call(method, `/v1/communities/comments/${id}/flag`, { ticket })
const flagProfile = (id: number, { ticket }: Member) => service.call('PUT', `/v1/profiles/${id}/flag`, { ticket })

// ---- A model

type ModelFlag = { open: boolean; verdict: -1 | 0 | 1; decision: number }
type ModelReporter = { flags: number; upheld: number; rejected: number; muted: boolean; trusted: boolean }
type ModelSubject = { kind: Kind; id: number; shown: boolean; flags: Map<number, ModelFlag>; decisions: number[] }

const VERDICTS: Record<string, -1 | 0 | 1> = {
  ...{ remove: 1, deactivate: 1, 'reset-name': 1, 'reset-biography': 1, 'reset-picture': 1 },
  ...{ keep: -1, feature: -1, unfeature: 0, restore: 0, reactivate: 0 },
}
const ACTIONS = {
  profile: ['keep', 'deactivate', 'reactivate', 'reset-name', 'reset-biography', 'reset-picture'],
  comment: ['keep', 'remove', 'restore', 'feature', 'unfeature'],
}

const weightOf = ({ upheld, rejected, muted }: ModelReporter) =>
  muted ? 0 : Math.floor(((upheld + 1) * 1_000_000) / (upheld + rejected + 2))

const PEOPLE = 4
const SUBJECTS = 4

const step = fc.record({
  what: fc.oneof(
    { weight: 5, arbitrary: fc.constant('flag' as const) },
    { weight: 3, arbitrary: fc.constant('decide' as const) },
    { weight: 1, arbitrary: fc.constantFrom('unflag' as const, 'mark' as const, 'overturn' as const) },
  ),
  who: fc.nat(PEOPLE - 1),
  on: fc.nat(SUBJECTS - 1),
  choice: fc.nat(5),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

class World {
  readonly people: Member[]
  readonly reporters: ModelReporter[]
  readonly subjects: ModelSubject[]

  constructor(people: Member[], subjects: ModelSubject[]) {
    this.people = people
    this.reporters = people.map(() => ({ flags: 0, upheld: 0, rejected: 0, muted: false, trusted: false }))
    this.subjects = subjects
  }

  async play({ what, who, on, choice }: Step): Promise<void> {
    const subject = this.subjects[on] as ModelSubject
    if (what === 'flag') await this.flag(who, subject)
    if (what === 'unflag' && subject.kind === 'comment') await this.unflag(who, subject)
    if (what === 'decide') await this.decide(subject, choice)
    if (what === 'mark') await this.mark(who, choice)
    if (what === 'overturn') await this.overturn(subject)
  }

  async flag(who: number, { kind, id, shown, flags }: ModelSubject): Promise<void> {
    const member = this.people[who] as Member
    const reply = kind === 'profile' ? await flagProfile(id, member) : await react('POST', id, member)
    expect(reply.status === 204).toBe(shown)
    if (!shown || flags.has(who)) return
    flags.set(who, { open: true, verdict: 0, decision: 0 })
    this.reporter(who).flags++
  }

  async unflag(who: number, { id, shown, flags }: ModelSubject): Promise<void> {
    const reply = await react('DELETE', id, this.people[who] as Member)
    expect(reply.status === 204).toBe(shown)
    if (shown) flags.delete(who)
  }

  async decide(subject: ModelSubject, choice: number): Promise<void> {
    const { kind, id, flags } = subject
    const action = ACTIONS[kind][choice % ACTIONS[kind].length] as string
    const reply = await service.operator('POST', `/operator/v1/moderation/${kind}s/${id}`, { action })
    const isRefused =
      kind === 'comment' && (action === 'restore' ? subject.shown : action !== 'remove' && !subject.shown)
    expect([action, reply.status]).toEqual([action, isRefused ? 409 : 200])
    if (isRefused) return
    if (['remove', 'deactivate'].includes(action)) subject.shown = false
    if (['restore', 'reactivate'].includes(action)) subject.shown = true
    const decision = await latestDecision(kind, id)
    subject.decisions.push(decision)
    const verdict = VERDICTS[action] ?? 0
    for (const [who, flag] of flags) {
      if (!flag.open) continue
      Object.assign(flag, { open: false, verdict, decision })
      this.count(who, verdict, 1)
    }
  }

  /** Once for each decision. */
  async overturn(subject: ModelSubject): Promise<void> {
    const decisionId = subject.decisions.pop()
    if (decisionId === undefined) return
    await service.context.database.transaction((transaction) => overturnVerdicts(transaction, decisionId))
    for (const [who, flag] of subject.flags) {
      if (flag.decision !== decisionId) continue
      this.count(who, flag.verdict, -1)
      flag.verdict = flag.verdict === 0 ? 0 : flag.verdict === 1 ? -1 : 1
      this.count(who, flag.verdict, 1)
    }
  }

  async mark(who: number, choice: number): Promise<void> {
    const reporter = this.reporter(who)
    const change = [{ muted: true, trusted: false }, { muted: false }, { muted: false, trusted: true }][choice % 3]
    await operatorOk('PUT', `/reporters/${this.people[who]?.profileId}`, change)
    Object.assign(reporter, change)
  }

  reporter(who: number): ModelReporter {
    return this.reporters[who] as ModelReporter
  }

  count(who: number, verdict: -1 | 0 | 1, by: 1 | -1): void {
    if (verdict === 1) this.reporter(who).upheld += by
    if (verdict === -1) this.reporter(who).rejected += by
  }

  /** As the queue shows it. */
  queue(kind: Kind, lane: 'all' | 'trusted') {
    const waiting = this.subjects.map(({ kind: own, id, flags }) => {
      const open = [...flags].filter(([, flag]) => flag.open).map(([who]) => this.reporter(who))
      const weight = open.reduce((sum, reporter) => sum + weightOf(reporter), 0)
      return { own, id, flags: open.length, weight, trustedFlags: open.filter(({ trusted }) => trusted).length }
    })
    return waiting
      .filter(({ own, weight, trustedFlags }) => own === kind && weight > 0 && (lane === 'all' || trustedFlags > 0))
      .sort((one, other) => other.weight - one.weight || one.id - other.id)
      .map(({ own, id, weight, ...shown }) => ({ ...shown, id: `${id}`, weight: (weight / 1_000_000).toFixed(2) }))
  }
}

const decisionOf = reading<{ kind: string; id: number }, { id: number }>(
  'latestDecision',
  'select max(id) as id from decision where kind = :kind and subject_id = :id',
)

async function latestDecision(kind: Kind, id: number): Promise<number> {
  return (await service.context.database.one(decisionOf, { kind, id }))?.id ?? 0
}

async function newWorld(): Promise<World> {
  const profiles = await members(2)
  // Others, because nobody sees the tips of an inactive profile.
  const authors = await members(2)
  const [outcome] = await newMatch(service)
  const tips = await Promise.all(authors.map((author) => newTip(service, author, outcome!.id)))
  const subject = (kind: Kind, id: number): ModelSubject => ({ kind, id, shown: true, flags: new Map(), decisions: [] })
  return new World(await members(PEOPLE), [
    ...profiles.map(({ profileId }) => subject('profile', profileId)),
    ...tips.map((id) => subject('comment', id)),
  ])
}

const KINDS: Kind[] = ['profile', 'comment']
const LANES = ['all', 'trusted'] as const

test('weights, counts and queues equal a naive computation', async () => {
  const run = fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40 }), async (steps) => {
    const world = await newWorld()
    for (const one of steps) await world.play(one)
    await caughtUp()
    for (const [index, { profileId }] of world.people.entries()) {
      const { flags, upheld, rejected, muted, trusted, weight } = await operatorOk('GET', `/reporters/${profileId}`)
      const model = world.reporter(index)
      expect({ flags, upheld, rejected, muted, trusted }).toEqual(model)
      expect(weight).toBe((weightOf(model) / 1_000_000).toFixed(2))
    }
    const own = new Set(world.subjects.map(({ kind, id }) => `${kind} ${id}`))
    for (const kind of KINDS) {
      for (const lane of LANES) {
        const { items } = await operatorOk('GET', `/moderation/queue?kind=${kind}&lane=${lane}&limit=100`)
        const found = items.filter(({ id }: Json) => own.has(`${kind} ${id}`))
        expect(found).toMatchObject(world.queue(kind, lane))
        expect(found).toHaveLength(world.queue(kind, lane).length)
      }
    }
    expect(await brokenInvariants(service.context.database)).toEqual({})
    for (const { kind, id } of world.subjects) {
      await operatorOk('POST', `/moderation/${kind}s/${id}`, { action: kind === 'profile' ? 'keep' : 'remove' })
    }
  })
  await fc.assert(run, { numRuns: propertyRuns(4), endOnFailure: true })
})

// ---- Races

test('flags, withdrawals, decisions and marks that race leave exact weights and counts', async () => {
  const people = await members(8)
  const subjects = await members(3)
  const [outcome] = await newMatch(service)
  const tips = await Promise.all(subjects.map((author) => newTip(service, author, outcome!.id)))
  for (let round = 0; round < 3; round++) {
    const { operator } = service
    const calls = people.flatMap((member, index) => [
      ...subjects.map(
        ({ profileId }) =>
          () =>
            flagProfile(profileId, member),
      ),
      ...tips.flatMap((id) => [
        () => react('POST', id, member),
        () => react('DELETE', id, member),
        () => react('POST', id, member),
      ]),
      () => operator('PUT', `/operator/v1/reporters/${member.profileId}`, { muted: (index + round) % 3 === 0 }),
    ])
    const decisions = [...subjects.keys()].flatMap((index) => [
      () => operator('POST', `/operator/v1/moderation/comments/${tips[index]}`, { action: 'keep' }),
      () =>
        operator('POST', `/operator/v1/moderation/profiles/${subjects[index]?.profileId}`, {
          action: ['keep', 'reset-name', 'reactivate'][(index + round) % 3],
        }),
    ])
    const racing = [...calls, ...decisions].map((call) => untilAvailable<{ status: number }>(call))
    const work = [caughtUp(), caughtUp()]
    for (const reply of await Promise.all(racing)) expect(reply.status).toBeLessThan(300)
    await Promise.all(work)
  }
  await caughtUp()
  expect(await brokenInvariants(service.context.database)).toEqual({})
  // Flags of tips were withdrawn after decisions, which counted them; those of profiles cannot be.
  expect(await service.context.database.query(miscounted, {})).toEqual([])
})

const miscounted = reading<NoParameters, { profile_id: number }>(
  'miscounted',
  `select r.profile_id from reporter r where
     r.upheld < (select count(*) from flag f where f.profile_id = r.profile_id and f.verdict = 1)
     or r.rejected < (select count(*) from flag f where f.profile_id = r.profile_id and f.verdict = -1)`,
)

// ---- Batches

const manyFlags = writing<{ profileId: number; count: number }>(
  'manyFlags',
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < :count)
   insert into flag (kind, subject_id, profile_id, created_at, weight)
   select 'comment', 1000000000 + i, :profileId, i, 500000 from n`,
)
const theirReviews = writing<{ profileId: number }>(
  'theirReviews',
  `insert into review (kind, subject_id, flags, flagged_at, weight)
   select kind, subject_id, 1, created_at, weight from flag where profile_id = :profileId and decided = 0 and subject_id > 1000000000`,
)
const weights = reading<{ profileId: number }, { weight: number; reviews: number }>(
  'weightsOfMany',
  `select r.weight, count(*) as reviews from flag f join review r on r.kind = f.kind and r.subject_id = f.subject_id
   where f.profile_id = :profileId and f.decided = 0 group by r.weight order by r.weight`,
)
const deleteMany = writing<NoParameters>('deleteManyReviews', 'delete from review where subject_id > 1000000000')
const deleteManyFlags = writing<NoParameters>('deleteManyFlags', 'delete from flag where subject_id > 1000000000')

test('the open flags of a reporter follow in batches, also when the weight changes again meanwhile', async () => {
  const { database } = service.context
  const [reporter, subject] = (await members(2)) as [Member, Member]
  await flagProfile(subject.profileId, reporter)
  await database.run(manyFlags, { profileId: reporter.profileId, count: 2_500 })
  await database.run(theirReviews, { profileId: reporter.profileId })
  await operatorOk('POST', `/moderation/profiles/${subject.profileId}`, { action: 'keep' })
  const working = caughtUp()
  await operatorOk('PUT', `/reporters/${reporter.profileId}`, { muted: true })
  await operatorOk('PUT', `/reporters/${reporter.profileId}`, { muted: false })
  await working
  await caughtUp()
  expect(await database.query(weights, { profileId: reporter.profileId })).toEqual([
    { weight: 333_333, reviews: 2_500 },
  ])
  await database.run(deleteMany, {})
  await database.run(deleteManyFlags, {})
})
