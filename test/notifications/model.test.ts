// Random likes, follows, mutes, blocks, moderation and reads, compared with a simple model after each look.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { catchUp } from '../../src/event-log/projection.ts'
import { sequenceEvents } from '../../src/event-log/sequencer.ts'
import { notificationsProjection } from '../../src/notifications/projection.ts'
import { markRead, notificationsOf, summary } from '../harness/notifications.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { engine, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'

type Member = TestCustomer & { profileId: number }

const PEOPLE = 4
const TIPS = 4

/** Indexes: a person, another person or a tip. */
type Step = { do: (typeof STEPS)[number]; who: number; what: number }
const STEPS = [
  'like',
  'unlike',
  'follow',
  'unfollow',
  'read',
  'look',
  'deactivate',
  'reactivate',
  'remove',
  'restore',
  'mute',
  'unmute',
  'block',
  'unblock',
] as const

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('like' as const, 'follow' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...STEPS) },
  ),
  who: fc.nat(PEOPLE - 1),
  what: fc.nat(TIPS - 1),
})

type Note = {
  owner: number
  type: 'followed' | 'liked' | 'decision'
  tip: number | null
  action: string
  order: number
  isRead: boolean
  /** When each of them was added. */
  actors: Map<number, number>
}

/** Tip t is that of person t. */
class Model {
  notes: Note[] = []
  active = Array<boolean>(PEOPLE).fill(true)
  live = Array<boolean>(TIPS).fill(true)
  /** Likes and follows, whether or not anybody is notified of them. */
  links = new Set<string>()
  /** By whom, and of whom. */
  mutes = new Set<string>()
  blocks = new Set<string>()
  #order = 0

  isBlocked(one: number, other: number): boolean {
    return this.blocks.has(`${one} ${other}`) || this.blocks.has(`${other} ${one}`)
  }

  /** Neither is shown what the other did; their likes stay. */
  block(owner: number, other: number): void {
    if (this.isBlocked(owner, other)) return
    this.blocks.add(`${owner} ${other}`)
    for (const [one, another] of [
      [owner, other],
      [other, owner],
    ] as const) {
      this.links.delete(`followed ${one} ${another}`)
      for (const type of ['followed', 'liked'] as const) this.#forget(type, one, another)
    }
  }

  add(type: 'followed' | 'liked', owner: number, actor: number): void {
    if (this.links.has(`${type} ${owner} ${actor}`)) return
    this.links.add(`${type} ${owner} ${actor}`)
    if (this.mutes.has(`${owner} ${actor}`)) return
    const tip = type === 'liked' ? owner : null
    let note = this.notes.find((one) => one.type === type && one.owner === owner && !one.isRead)
    if (note === undefined) {
      note = { owner, type, tip, action: '', order: 0, isRead: false, actors: new Map() }
      this.notes.push(note)
    }
    note.order = ++this.#order
    note.actors.set(actor, note.order)
  }

  remove(type: 'followed' | 'liked', owner: number, actor: number): void {
    this.links.delete(`${type} ${owner} ${actor}`)
    this.#forget(type, owner, actor)
  }

  #forget(type: 'followed' | 'liked', owner: number, actor: number): void {
    for (const note of this.notes) if (note.type === type && note.owner === owner) note.actors.delete(actor)
    this.notes = this.notes.filter((note) => note.type === 'decision' || note.actors.size > 0)
  }

  decide(owner: number, tip: number | null, action: string): void {
    const order = ++this.#order
    this.notes.push({ owner, type: 'decision', tip, action, order, isRead: false, actors: new Map() })
  }

  activeActors({ actors }: Note): number[] {
    const shown = [...actors].filter(([actor]) => this.active[actor])
    return shown.sort(([, one], [, other]) => other - one).map(([actor]) => actor)
  }

  shownTo(owner: number): Note[] {
    const isShown = (note: Note) =>
      note.type === 'decision' || ((note.tip === null || this.live[note.tip]) && this.activeActors(note).length > 0)
    return this.notes
      .filter((note) => note.owner === owner && isShown(note))
      .sort((one, other) => other.order - one.order)
  }

  read(owner: number, order: number): void {
    for (const note of this.notes) if (note.owner === owner && note.order <= order) note.isRead = true
  }
}

const service = useService()
let outcome: TestOutcome

beforeAll(async () => {
  ;[outcome] = (await newMatch(service)) as [TestOutcome]
})

type World = { model: Model; people: Member[]; tips: number[] }

async function newWorld(): Promise<World> {
  const people: Member[] = []
  const tips: number[] = []
  for (let index = 0; index < PEOPLE; index++) people.push(await service.member())
  for (const author of people) tips.push(await newTip(service, author, outcome.id))
  return { model: new Model(), people, tips }
}

const lines = ({ model, people, tips }: World, owner: number) =>
  model.shownTo(owner).map((note) => {
    const actors = model.activeActors(note)
    const what = [note.type, ...(note.action === '' ? [] : [note.action])]
    const tip = note.tip === null ? [] : [`tip ${tips[note.tip]}`]
    const who = note.type === 'decision' ? [] : [`${actors.length}`, `by ${people[actors[0] as number]?.profileId}`]
    return [...what, ...tip, ...who, ...(note.isRead ? ['read'] : [])].join(' ')
  })

async function look({ people }: World, owner: number) {
  // At once, instead of when its time comes.
  if (engine === 'postgres') await sequenceEvents(service.context.database)
  await catchUp(service.context.database, notificationsProjection)
  return notificationsOf(service, people[owner]?.ticket as string, '?blockSize=100')
}

async function compare(world: World): Promise<void> {
  for (let owner = 0; owner < PEOPLE; owner++) {
    const shown = await look(world, owner)
    expect(summary(shown)).toEqual(lines(world, owner))
    expect(shown.numUnread).toBe(world.model.shownTo(owner).filter(({ isRead }) => !isRead).length)
  }
}

/** A step that is not possible is skipped. */
async function take(world: World, { do: action, who, what }: Step): Promise<void> {
  const { model, people, tips } = world
  const send = async (method: string, path: string) => {
    const reply = await service.call(method, path, { ticket: people[who]?.ticket as string })
    expect([path, reply.status]).toEqual([path, expect.toSatisfy((status) => status < 300)])
  }
  const decide = (subject: string) => operatorOk(service, 'POST', `/moderation/${subject}`, { action, note: '' })
  const isTipShown = model.live[what] && model.active[what]
  switch (action) {
    case 'like':
    case 'unlike': {
      if (who === what || !isTipShown || model.isBlocked(who, what)) return
      await send(action === 'like' ? 'POST' : 'DELETE', `/v1/communities/comments/${tips[what]}/like`)
      return action === 'unlike' ? model.remove('liked', what, who) : model.add('liked', what, who)
    }
    case 'follow':
    case 'unfollow': {
      if (who === what || !model.active[what] || model.isBlocked(who, what)) return
      await send(action === 'follow' ? 'POST' : 'DELETE', `/v1/profiles/me/followings/${people[what]?.profileId}`)
      return action === 'unfollow' ? model.remove('followed', what, who) : model.add('followed', what, who)
    }
    case 'read': {
      const { notification } = await look(world, who)
      const note = model.shownTo(who)[what]
      if (note === undefined) return
      await markRead(service, people[who]?.ticket as string, notification[what]?.id)
      return model.read(who, note.order)
    }
    case 'mute':
    case 'unmute':
    case 'block':
    case 'unblock':
      return hide(world, { do: action, who, what })
    case 'look':
      return compare(world)
    case 'deactivate':
    case 'reactivate': {
      if (model.active[who] === (action === 'reactivate')) return
      await decide(`profiles/${people[who]?.profileId}`)
      model.active[who] = action === 'reactivate'
      return model.decide(who, null, action)
    }
    case 'remove':
    case 'restore': {
      if (model.live[what] === (action === 'restore')) return
      await decide(`comments/${tips[what]}`)
      model.live[what] = action === 'restore'
      return model.decide(what, what, action)
    }
  }
}

/** A mute counts from when it is made: what happened before is noted first. */
async function hide(world: World, { do: action, who, what }: Step): Promise<void> {
  const { model, people } = world
  const isOwn = model.blocks.has(`${who} ${what}`)
  if (who === what || !model.active[what] || (model.isBlocked(who, what) && !(isOwn && /block/.test(action)))) return
  await look(world, who)
  const path = `/v1/profiles/me/${action.replace('un', '')}s/${people[what]?.profileId}`
  const method = action.startsWith('un') ? 'DELETE' : 'PUT'
  const { status } = await service.call(method, path, { ticket: people[who]?.ticket as string })
  expect([path, status]).toEqual([path, method === 'PUT' ? 204 : 200])
  if (action === 'mute') model.mutes.add(`${who} ${what}`)
  else if (action === 'unmute') model.mutes.delete(`${who} ${what}`)
  else if (action === 'block') model.block(who, what)
  else model.blocks.delete(`${who} ${what}`)
}

test('notifications are those of the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      const world = await newWorld()
      for (const one of steps) await take(world, one)
      await compare(world)
    }),
    { numRuns: propertyRuns(12), interruptAfterTimeLimit: 60_000 },
  )
})
