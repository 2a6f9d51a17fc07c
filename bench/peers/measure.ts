// Measures one operation on the service and on each peer that has it, in turns.

import { compareRounds, type OperationResult } from '../comparison.ts'
import type { DataSet } from '../data/data-sets.ts'
import { load } from '../load.ts'
import { type Pace, type Round, requestsOf, round, warmUp } from '../measure.ts'
import { type Call, CONNECTIONS, type Operation, serviceRequest } from '../operations/operation.ts'
import { feeds, reads } from '../operations/reads.ts'
import { likeHot, writes } from '../operations/writes.ts'
import type { ServerProcess, ServiceProcess } from '../processes.ts'
import type { Peer } from './peer.ts'

/** With how many connections each is measured. */
const SHARED: Record<string, readonly number[]> = {
  'profile-ticket': [8],
  followers: [8],
  'tips-of-profile': [8],
  'feed-200-R-1': [8],
  like: [8, 64],
  'create-tip': [8, 64],
  follow: [8, 64],
  'like-hot': [64],
  'follow-hot': [64],
}
const MOST_CONNECTIONS = 64

/**
 * The operations that at least one peer has too. `existing` are the follows and likes in the data, as baseline paths: to
 * repeat one succeeds on the service and fails on a peer, so that nobody is asked to.
 */
export function sharedOperations(existing: ReadonlySet<string>): Operation[] {
  const all = [...reads, ...feeds, ...writes, likeHot]
  return Object.keys(SHARED).map((name) => withoutExisting(all.find((one) => one.name === name) as Operation, existing))
}

function withoutExisting(operation: Operation, existing: ReadonlySet<string>): Operation {
  if (operation.sequenceLength !== 2) return operation
  return {
    ...operation,
    calls(set, connections) {
      const next = operation.calls(set, connections)
      return (
        next &&
        ((connection) => {
          let call = next(connection)
          while (existing.has(call.baselinePath)) {
            next(connection) // what would undo it
            call = next(connection)
          }
          return call
        })
      )
    },
  }
}

/** How many times as many requests per second as each peer; null: any number. */
export type Targets = readonly [postgraphile: number | null, parse: number | null]

/** Peers write plain rows. What arrives together is written together, so that the targets of writes are those of many connections. */
export function targetsOf({ name, writes }: Operation, connections: number): Targets {
  if (!writes) return [3, 3]
  if (connections < MOST_CONNECTIONS) return [null, null]
  return name === 'create-tip' ? [1, null] : [1.5, 2]
}

type Summary = OperationResult['service']
export type PeerResult = { name: string; summary: Summary; ratio: NonNullable<OperationResult['ratio']> }
export type SharedResult = {
  name: string
  title: string
  connections: number
  targets: Targets
  service: Summary
  /** null: its API cannot express the operation. */
  peers: (PeerResult | null)[]
}

export type Bed = {
  set: DataSet
  service: ServiceProcess
  peers: { peer: Peer; server: ServerProcess }[]
  databasePid: number | null
}

/** Peers have much code to compile; with less, their first rounds are slower than their last. */
const WARM_UP_CPU_SECONDS = 2

/** One for each number of connections; none where a data set of this size has nobody to request it for. */
export async function measureShared(operation: Operation, bed: Bed, pace: Pace): Promise<SharedResult[]> {
  const candidates = candidatesOf(operation, bed, pace)
  const results: SharedResult[] = []
  for (const connections of candidates === null ? [] : (SHARED[operation.name] ?? [])) {
    results.push(await measureWith(operation, candidates as Candidates, pace, connections))
  }
  return results
}

async function measureWith(
  operation: Operation,
  { service, peers }: Candidates,
  pace: Pace,
  connections: number,
): Promise<SharedResult> {
  const running = [service, ...peers.flatMap((peer) => peer ?? [])].map((candidate) => ({
    ...candidate,
    rounds: [] as Round[],
  }))
  const warmUpSeconds = Math.min(pace.seconds * pace.rounds, WARM_UP_CPU_SECONDS)
  for (const { server, run } of running) await warmUp(server, warmUpSeconds, () => run(connections))
  for (let count = 0; count < pace.rounds; count++) {
    // Another one begins each time, so that none is always measured after the same neighbour.
    const turn = count % running.length
    for (const one of [...running.slice(turn), ...running.slice(0, turn)]) one.rounds.push(await one.run(connections))
  }
  const [own, ...others] = running as [Measured, ...Measured[]]
  const compared = others.map((peer) => comparison(own.rounds, peer))
  const [first] = compared
  if (first === undefined) throw new Error(`${operation.name}: no peer has it`)
  return {
    name: operation.name,
    title: connections === CONNECTIONS ? operation.title : `${operation.title}, ${connections} connections`,
    connections,
    targets: targetsOf(operation, connections),
    service: first.service,
    peers: peers.map((peer) => compared.find((one) => one.peer.name === peer?.name)?.peer ?? null),
  }
}

type Candidate = { name: string; server: ServerProcess; run(connections: number): Promise<Round> }
type Candidates = { service: Candidate; peers: (Candidate | null)[] }
type Measured = Candidate & { rounds: Round[] }

function candidatesOf(
  operation: Operation,
  { set, service, peers, databasePid }: Bed,
  { seconds }: Pace,
): Candidates | null {
  const most = Math.min(MOST_CONNECTIONS, set.size.writers)
  const candidate = (
    name: string,
    server: ServerProcess,
    toRequest: (call: Call) => Buffer,
    peer?: Peer,
  ): Candidate => {
    // Each has its own sequence of calls: writes of one must not be skipped by another.
    const request = requestsOf(operation, operation.calls(set, most) as (connection: number) => Call, toRequest)
    const isExpected = peer === undefined ? {} : { isExpected: peer.isExpected }
    const run = (connections: number) => {
      const options = { server, request, seconds, connections: Math.min(connections, most), ...isExpected }
      return round(operation, options, databasePid)
    }
    return { name, server, run }
  }
  const call = operation.calls(set)?.(0)
  if (call === undefined) return null
  return {
    service: candidate('service', service, serviceRequest),
    peers: peers.map(({ peer, server }) =>
      peerRequest(peer, call) === null
        ? null
        : candidate(peer.name, server, (one) => peerRequest(peer, one) as Buffer, peer),
    ),
  }
}

function peerRequest(peer: Peer, { baselinePath }: Call): Buffer | null {
  const [, handler = '', ...values] = baselinePath.split('/')
  return peer.request(handler, values)
}

function comparison(service: Round[], { name, rounds }: Measured): { service: Summary; peer: PeerResult } {
  const pairs = service.map((round, index) => ({ service: round, baseline: rounds[index] as Round }))
  const result = compareRounds(pairs)
  const summary = result.baseline as Summary
  return { service: result.service, peer: { name, summary, ratio: result.ratio as PeerResult['ratio'] } }
}

const COMPARED_ANSWERS = 5

/** All must answer reads with the same ids: a peer with other data would be measured at something else. */
export async function compareAnswers(operation: Operation, { set, service, peers }: Bed): Promise<void> {
  const next = operation.writes ? undefined : operation.calls(set)
  if (next === undefined) return
  for (let count = 0; count < COMPARED_ANSWERS; count++) {
    const call = next(0)
    const ours = serviceIds(await answer(service, serviceRequest(call))).sort()
    for (const { peer, server } of peers) {
      const request = peerRequest(peer, call)
      if (request === null) continue
      const theirs = peer.ids(await answer(server, request)).sort()
      if (ours.join() === theirs.join()) continue
      throw new Error(`${call.path}: the service answers ${ours.join()}\n${peer.title}: ${theirs.join()}`)
    }
  }
}

async function answer({ port }: ServerProcess, request: Buffer): Promise<unknown> {
  let text = ''
  const isExpected = (_: number, answer: string) => {
    text = answer
    return true
  }
  await load({ host: '127.0.0.1', port, connections: 1, seconds: 0, request: () => request, isExpected })
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
}

type ServiceAnswer = {
  whoProfiles?: { profile: { id: string } }[]
  whoCommunities?: { comment: { id: string }[] }
}

function serviceIds(answer: unknown): string[] {
  const { whoProfiles = [], whoCommunities } = answer as ServiceAnswer
  return [...whoProfiles.map(({ profile }) => profile), ...(whoCommunities?.comment ?? [])].map(({ id }) => id)
}
