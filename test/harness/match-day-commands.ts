// What customers, moderators and the operator do on a match day, as commands of fast-check: each sends a request, changes
// the model, and expects the answer that the model predicts. Indexes wrap around, so that every number names somebody or
// something, also after shrinking.

import fc from 'fast-check'
import { expect } from 'vitest'
import { RESULTS, type Result } from '../../src/record/figures.ts'
import { changeEvent } from '../../src/sportsbook/catalogue-changes.ts'
import { applyChange } from '../../src/sportsbook/change.ts'
import { settleMarket } from '../../src/sportsbook/settlement.ts'
import type { MatchDay, ModelTip } from './match-day-model.ts'
import { isInBet, MEMBERS, type Member, startOfDay, statusAndFault, type World } from './match-day-world.ts'
import { operatorOk } from './sportsbook.ts'

export type Command = fc.AsyncCommand<MatchDay, World>

type CommandOptions = {
  text: string
  can?: (model: MatchDay) => boolean
  run: (model: MatchDay, world: World) => Promise<void>
}

export function command({ text, can = () => true, run }: CommandOptions): Command {
  return { check: can, run, toString: () => text }
}

export const hasTips = (model: MatchDay) => model.tips.length > 0

export function at<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T
}

const json = 'application/json'
const member = fc.nat(MEMBERS - 1)
const someMembers = fc.uniqueArray(member, { minLength: 1, maxLength: 8 })
const place = fc.nat(1_000)

// ---- Customers

const follow = fc.tuple(member, someMembers).map(([one, others]) =>
  command({
    text: `#${one} follows ${namesOf(others)}`,
    async run(model, { client, members }) {
      const me = at(members, one)
      for (const other of others.map((number) => at(members, number))) {
        const path = `/v1/profiles/me/followings/${other.profileId}`
        const reply = await client.call('POST', path, { ticket: me.ticket, accept: json })
        const refused = model.inactive.has(other.profileId) ? '404/30410' : me === other ? '400/30440' : undefined
        expect(statusAndFault(reply)).toBe(refused ?? '204')
        if (refused === undefined) model.follows.add(`${me.profileId} ${other.profileId}`)
      }
    },
  }),
)

const unfollow = fc.tuple(place, fc.option(member, { nil: undefined })).map(([which, stranger]) =>
  command({
    text: stranger === undefined ? `follow ${which} ends` : `#${which % MEMBERS} unfollows #${stranger}`,
    can: (model) => model.follows.size > 0,
    async run(model, { client, members }) {
      const pair = at([...model.follows], which)
        .split(' ')
        .map(Number)
      const me = stranger === undefined ? members.find(({ profileId }) => profileId === pair[0]) : at(members, which)
      const followee = stranger === undefined ? pair[1] : at(members, stranger).profileId
      const path = `/v1/profiles/me/followings/${followee}`
      const reply = await client.call('DELETE', path, { ticket: me?.ticket ?? '', accept: json })
      expect(statusAndFault(reply)).toBe('200')
      model.follows.delete(`${me?.profileId} ${followee}`)
    },
  }),
)

const tip = fc.tuple(someMembers, place, fc.nat(9)).map(([authors, which, luck]) =>
  command({
    text: `${namesOf(authors)} tip outcome ${which}${luck === 9 ? ' on bets of others' : ''}`,
    async run(model, { client, members }) {
      for (const author of authors.map((number) => at(members, number))) {
        const bettor = luck === 9 ? at(members, members.indexOf(author) + 2) : author
        const outcomes = model.catalogue.outcomes.filter(({ id }) => isInBet(author, id))
        const outcome = at(outcomes, which)
        const path = `/v1/communities/comments/me/outcomes/${outcome.id}?betId=${bettor.betId}&text=A+fine+price`
        const reply = await client.call('POST', path, { ticket: author.ticket, accept: json })
        const expected = tipRefused(model, author, bettor, outcome.id) ?? '200'
        expect({ author: author.name, outcome: outcome.id, answer: statusAndFault(reply) }).toMatchObject({
          answer: expected,
        })
        if (expected !== '200') continue
        const id = Number(reply.json().whoCommunities.comment.id)
        const { profileId, betId } = author
        const nothing = { likes: new Set<number>(), flags: new Map(), featured: false }
        model.tips.push({ id, author: profileId, outcome, betId, ...nothing, state: 'live' })
      }
    },
  }),
)

function tipRefused(model: MatchDay, author: Member, bettor: Member, outcomeId: number): string | undefined {
  const outcome = model.catalogue.outcomes.find(({ id }) => id === outcomeId)
  if (bettor !== author) return '400/10071'
  if (outcome === undefined || !model.isOpen(outcome)) return '400/30490'
  if (model.inactive.has(author.profileId)) return '400/30491'
  const same = (one: ModelTip) => one.outcome === outcome && one.betId === author.betId
  if (model.tips.some((one) => same(one) && one.state !== 'deactivated')) return '409/30520'
  return undefined
}

type Reaction = {
  method: 'POST' | 'DELETE'
  what: 'like' | 'flag'
  verb: string
  act: (t: ModelTip, id: number) => void
}

function reaction({ method, what, verb, act }: Reaction) {
  return fc.tuple(someMembers, place).map(([who, which]) =>
    command({
      text: `${namesOf(who)} ${verb} tip ${which}`,
      can: hasTips,
      async run(model, { client, members }) {
        const one = at(model.tips, which)
        for (const { ticket, profileId } of who.map((number) => at(members, number))) {
          const path = `/v1/communities/comments/${one.id}/${what}`
          const reply = await client.call(method, path, { ticket, accept: json })
          expect(statusAndFault(reply)).toBe(model.isShown(one) ? '204' : '400/30500')
          if (model.isShown(one) && one.author !== profileId) act(one, profileId)
        }
      },
    }),
  )
}

const like = reaction({ method: 'POST', what: 'like', verb: 'like', act: ({ likes }, id) => likes.add(id) })
const unlike = reaction({ method: 'DELETE', what: 'like', verb: 'unlike', act: ({ likes }, id) => likes.delete(id) })
const unflag = reaction({ method: 'DELETE', what: 'flag', verb: 'unflag', act: ({ flags }, id) => flags.delete(id) })
const flag = reaction({
  method: 'POST',
  what: 'flag',
  verb: 'flag',
  act: ({ flags }, id) => flags.set(id, flags.get(id) ?? 'open'),
})

const deactivate = fc.tuple(place, fc.nat(5)).map(([which, luck]) =>
  command({
    text: `${luck === 5 ? 'somebody' : 'its author'} deactivates tip ${which}`,
    can: hasTips,
    async run(model, { client, members }) {
      const one = at(model.tips, which)
      const author = members.findIndex(({ profileId }) => profileId === one.author)
      const { ticket } = at(members, luck === 5 ? author + 1 : author)
      const reply = await client.call('PUT', `/v1/communities/comments/${one.id}`, { ticket, accept: json })
      expect(statusAndFault(reply)).toBe(luck === 5 ? '400/10071' : '204')
      if (luck !== 5 && one.state === 'live') one.state = 'deactivated'
    },
  }),
)

// ---- Moderators

/** Decisions that are refused for a tip in this state. */
const REFUSED: Record<ModelTip['state'], readonly string[]> = {
  live: ['restore'],
  deactivated: ['restore', 'remove'],
  removed: ['keep', 'feature', 'unfeature'],
}

const decide = fc
  .tuple(place, fc.constantFrom('remove', 'restore', 'keep', 'feature', 'unfeature'))
  .map(([which, action]) =>
    command({
      text: `a moderator decides to ${action} tip ${which}`,
      can: hasTips,
      async run(model, { client }) {
        const one = at(model.tips, which)
        const reply = await client.operator('POST', `/operator/v1/moderation/comments/${one.id}`, { action })
        const isRefused = REFUSED[one.state].includes(action)
        expect(reply.status).toBe(isRefused ? 409 : 200)
        if (isRefused) return
        for (const flagger of one.flags.keys()) one.flags.set(flagger, 'decided')
        if (action === 'remove') one.state = 'removed'
        if (action === 'restore') one.state = 'live'
        if (action === 'feature' || action === 'unfeature') one.featured = action === 'feature'
      },
    }),
  )

const hide = fc.tuple(member, fc.constantFrom('deactivate', 'reactivate', 'reactivate')).map(([who, action]) =>
  command({
    text: `a moderator decides to ${action} #${who}`,
    async run(model, { client, members }) {
      const { profileId } = at(members, who)
      await operatorOk(client, 'POST', `/moderation/profiles/${profileId}`, { action })
      if (action === 'deactivate') model.inactive.add(profileId)
      else model.inactive.delete(profileId)
    },
  }),
)

// ---- The operator

const LEVELS = ['events', 'markets', 'outcomes'] as const

const suspend = fc
  .tuple(fc.constantFrom(...LEVELS), place, fc.constantFrom(true, false, false))
  .map(([level, which, suspended]) =>
    command({
      text: `${level} ${which} ${suspended ? 'suspended' : 'opened'}`,
      async run(model, world) {
        const thing = at<{ id: number; suspended: boolean }>(model.catalogue[level], which)
        await operatorOk(world.client, 'PATCH', `/${level}/${thing.id}`, { status: suspended ? 'suspended' : 'active' })
        thing.suspended = suspended
        await updateTips(model, world)
      },
    }),
  )

/** A test in the service's own process can read before tips are updated; elsewhere this changes nothing. */
const quietly = fc.boolean()

const move = fc.tuple(place, fc.nat(20), quietly).map(([which, day, quiet]) =>
  command({
    text: `event ${which} moves to day ${day}${quiet ? ', quietly' : ''}`,
    async run(model, world) {
      const event = at(model.catalogue.events, which)
      event.start = startOfDay(day)
      const change = { startTime: new Date(event.start).toISOString() }
      if (quiet && world.inside !== undefined) {
        await world.inside.quietly((transaction) => applyChange(transaction, changeEvent(event.id, change), Date.now))
        model.waiting = true
        return
      }
      await operatorOk(world.client, 'PATCH', `/events/${event.id}`, change)
      await updateTips(model, world)
    },
  }),
)

const results = fc.tuple(...[1, 2].map(() => fc.constantFrom<Result | null>(...RESULTS, null, null)))

/** Settles a market, in part or whole, or corrects it. */
const settle = fc.tuple(place, results, quietly).map(([which, given, quiet]) =>
  command({
    text: `market ${which} settled ${given.map((result) => result ?? '-').join(' ')}${quiet ? ', quietly' : ''}`,
    can: () => given.some((result) => result !== null),
    async run(model, world) {
      const market = at(model.catalogue.markets, which)
      const sentResults: Record<string, Result> = {}
      for (const [index, outcome] of model.catalogue.outcomes.filter((one) => one.market === market).entries()) {
        const result = given[index] ?? null
        if (result === null) continue
        outcome.result = result
        sentResults[outcome.id] = result
      }
      market.settled = true
      if (quiet && world.inside !== undefined) {
        await world.inside.quietly((transaction) =>
          applyChange(transaction, settleMarket(market.id, sentResults), Date.now),
        )
        model.waiting = true
        return
      }
      await operatorOk(world.client, 'POST', `/markets/${market.id}/settlement`, { results: sentResults })
      await updateTips(model, world)
    },
  }),
)

/** From outside a test cannot know whether all tips are updated: another process may be doing it. */
async function updateTips(model: MatchDay, { inside }: World): Promise<void> {
  await inside?.follow()
  model.waiting = inside === undefined
}

function namesOf(numbers: number[]): string {
  return numbers.map((number) => `#${number}`).join(' ')
}

/** Listed several times to be drawn more often. */
export const writes: fc.Arbitrary<Command>[] = [
  ...[tip, tip, tip, tip, tip, tip, follow, follow, follow, follow, like, like, like, like],
  ...[unfollow, unlike, flag, unflag, deactivate, decide, hide, suspend, suspend, move, settle],
]
