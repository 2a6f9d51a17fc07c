// A load of every write and of reads with and without a ticket. Each customer stays with one instance, as behind a balancer
// that sends a ticket to the same machine, and reads what it wrote. Deposits are in deposits.ts.

import { randomInt } from 'node:crypto'
import { sleep } from '../torture/processes.ts'
import type { Cluster } from './cluster.ts'
import { type DepositLoad, startDepositing } from './deposits.ts'
import type { Answer, Instance } from './instances.ts'
import type { AnsweredBiography, ShownBiography } from './stale.ts'
import { type Member, newId, tipPath, type World } from './world.ts'

/** What was answered. A follow or like is there, not there, or 'unknown' after an answer that was lost. */
export type Recorded = {
  registers: Map<string, { table: 'follow' | 'comment_like'; pair: [number, number]; there: boolean | 'unknown' }>
  /** The last biography that was answered, by profile. */
  biographies: Map<number, number>
  bets: Set<number>
  /** Bets with a tip. */
  tips: Set<number>
  /** Every biography that was answered, and those that were shown with an age. */
  answered: AnsweredBiography[]
  shown: ShownBiography[]
  lost: Set<string>
  unseen: Set<string>
  unexpected: string[]
}

export type Load = { recorded: Recorded; deposits: DepositLoad; stop(): Promise<void> }

type Turn = { cluster: Cluster; world: World; recorded: Recorded }

export async function startLoad(cluster: Cluster, world: World, instances: readonly Instance[]): Promise<Load> {
  const recorded: Recorded = {
    registers: new Map(),
    biographies: new Map(),
    bets: new Set(),
    tips: new Set(),
    answered: [],
    shown: [],
    lost: new Set(),
    unseen: new Set(),
    unexpected: [],
  }
  const turn = { cluster, world, recorded }
  let running = true
  const repeat = async (work: () => Promise<void>, pauseMs: number): Promise<void> => {
    while (running) {
      await work()
      await sleep(randomInt(pauseMs))
    }
  }
  const deposits = await startDepositing(instances, world.members)
  const clients = [
    ...world.members.map((member) => repeat(() => writeAndRead(turn, member), 120)),
    ...world.members.filter((_, index) => index % 2 === 0).map((member) => repeat(() => readAsMember(member), 120)),
    ...world.readers.map((reader) => repeat(() => readBiography(turn, reader), 80)),
    ...instances.flatMap((instance) => [1, 2].map(() => repeat(() => readAsNobody(instance, world), 80))),
  ]
  return {
    recorded,
    deposits,
    async stop() {
      running = false
      await Promise.all([...clients, deposits.stop()])
    },
  }
}

const LISTS = [
  '/v1/profiles/me?communities=Y',
  '/v1/profiles/me/followers',
  '/v1/communities/comments/profiles/me/followings?status=A',
  '/v1/communities/comments/outcomes/top',
]

async function readAsMember({ instance, ticket }: Member): Promise<void> {
  await instance.call('GET', LISTS[randomInt(LISTS.length)] as string, { ticket })
}

/** Of somebody who writes. */
async function readBiography({ world, recorded }: Turn, { instance, ticket }: Member): Promise<void> {
  const { profileId } = world.members[randomInt(world.members.length)] as Member
  const { status, body, start, age } = await instance.call('GET', `/v1/profiles/${profileId}`, { ticket })
  if (status !== 200 || age === undefined) return
  const number = biographyNumber(body.whoProfiles[0].profile.biography)
  recorded.shown.push({ profileId, number, answeredBefore: start - 1000 * age })
}

async function readAsNobody(instance: Instance, { star, tipId }: World): Promise<void> {
  const paths = [`/v1/profiles/${star.profileId}`, `/v1/communities/comments/${tipId}`]
  await instance.call('GET', paths[randomInt(paths.length)] as string)
}

async function writeAndRead(turn: Turn, member: Member): Promise<void> {
  const { star, tipId } = turn.world
  const writes = [
    () =>
      toggle(turn, member, {
        table: 'follow',
        other: star.profileId,
        path: `/v1/profiles/me/followings/${star.profileId}`,
        seenAt: `/v1/profiles/${star.profileId}`,
        isThere: ({ body }) => body.whoProfiles[0].profile.isFollowed === 'Y',
      }),
    () =>
      toggle(turn, member, {
        table: 'comment_like',
        other: tipId,
        path: `/v1/communities/comments/${tipId}/like`,
        seenAt: `/v1/communities/comments/${tipId}`,
        isThere: ({ body }) => body.whoCommunities.comment.isLiked === 'Y',
      }),
    () => updateBiography(turn, member),
    () => tipOnBet(turn, member),
  ]
  await (writes[randomInt(writes.length)] as () => Promise<void>)()
}

type Register = {
  table: 'follow' | 'comment_like'
  other: number
  path: string
  seenAt: string
  isThere: (answer: Answer) => boolean
}

/** Adds and removes in turn. */
async function toggle(turn: Turn, member: Member, register: Register): Promise<void> {
  const { recorded } = turn
  const { instance, profileId, ticket } = member
  const { table, other, path, seenAt, isThere } = register
  const name = `${table} ${profileId} ${other}`
  const there = recorded.registers.get(name)?.there !== true
  const record = (state: boolean | 'unknown') =>
    recorded.registers.set(name, { table, pair: [profileId, other], there: state })
  record('unknown')
  const answer = await instance.call(there ? 'POST' : 'DELETE', path, { ticket })
  if (!isAnswered(recorded, `${there ? 'POST' : 'DELETE'} ${path}`, answer)) return
  record(there)
  const read = await instance.call('GET', seenAt, { ticket })
  if (read.status !== 200 || isThere(read) === there) return
  const primary = (await rowExists(turn.cluster, table, [profileId, other])) === there
  ;(primary ? recorded.unseen : recorded.lost).add(
    `${name}: ${there ? 'added' : 'removed'} at ${new Date().toISOString()}`,
  )
  if (!primary) record('unknown')
}

let biographies = 0

async function updateBiography({ cluster, recorded }: Turn, { instance, profileId, ticket }: Member): Promise<void> {
  const number = ++biographies
  const answer = await instance.call('PUT', `/v1/profiles/me?biography=Number+${number}`, { ticket })
  if (!isAnswered(recorded, 'PUT /v1/profiles/me', answer)) return
  recorded.biographies.set(profileId, number)
  recorded.answered.push({ profileId, number, at: performance.now() })
  const read = await instance.call('GET', `/v1/profiles/${profileId}`, { ticket })
  const seen = read.status === 200 ? biographyNumber(read.body.whoProfiles[0].profile.biography) : number
  if (seen >= number) return
  const stored = await storedBiography(cluster, profileId)
  ;(stored >= number ? recorded.unseen : recorded.lost).add(`biography ${number} of profile ${profileId}`)
}

export const biographyNumber = (text: string | null) => Number(/^Number (\d+)$/.exec(text ?? '')?.[1] ?? 0)

/** The operator creates a bet; then its customer tips on it. Each is repeated until it is answered. */
async function tipOnBet({ cluster, world, recorded }: Turn, member: Member): Promise<void> {
  const { instance, customerId, ticket } = member
  const { outcomeId } = world
  const betId = newId()
  const bet = await repeated(() => instance.operator('PUT', `/bets/${betId}`, { customerId, outcomeIds: [outcomeId] }))
  if (bet === undefined || !isAnswered(recorded, 'PUT bet', bet)) return
  recorded.bets.add(betId)
  const tip = await repeated(() => instance.call('POST', tipPath(outcomeId, betId), { ticket }))
  if (tip === undefined) return
  if (tip.status !== 409 && tip.status !== 200 && !(await rowExists(cluster, 'bet', [betId]))) {
    recorded.lost.add(`bet ${betId}`)
    return
  }
  // 409: the first try, whose answer was lost, has created it.
  if (tip.status !== 409 && !isAnswered(recorded, 'POST tip', tip)) return
  recorded.tips.add(betId)
  if (tip.status === 409) return
  const read = await instance.call('GET', `/v1/communities/comments/${tip.body.whoCommunities.comment.id}`, { ticket })
  if (read.status === 200 || read.status === 503 || read.status === 0) return
  const stored = await rowExists(cluster, 'comment', [betId])
  ;(stored ? recorded.unseen : recorded.lost).add(`tip on bet ${betId}`)
}

const TRIES = 40
const PAUSE_MS = 1_000

/** undefined: no answer but 503 in all tries. */
async function repeated(request: () => Promise<Answer>): Promise<Answer | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await request()
    if (answer.status !== 503 && answer.status !== 0) return answer
    await sleep(PAUSE_MS)
  }
  return undefined
}

/** Records answers that are neither a success nor 503; those without an answer are in the traffic. */
function isAnswered({ unexpected }: Recorded, what: string, { status, body }: Answer): boolean {
  if (status >= 200 && status < 300) return true
  if (status !== 503 && status !== 0) unexpected.push(`${what}: ${status} ${JSON.stringify(body)}`)
  return false
}

const ROWS = {
  follow: 'select 1 from follow where follower_id = $1 and followee_id = $2',
  comment_like: 'select 1 from comment_like where profile_id = $1 and comment_id = $2',
  bet: 'select 1 from bet_outcome where bet_id = $1',
  comment: 'select 1 from comment where bet_id = $1',
}

/** On the primary, whatever the service says. */
export async function rowExists(cluster: Cluster, table: keyof typeof ROWS, values: number[]): Promise<boolean> {
  return (await cluster.queryPrimary(ROWS[table], values)).length > 0
}

export async function storedBiography(cluster: Cluster, profileId: number): Promise<number> {
  const [row] = await cluster.queryPrimary('select biography from profile where id = $1', [profileId])
  return biographyNumber(row?.biography ?? null)
}
