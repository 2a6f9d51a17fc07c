// Measures one operation on the service and on each peer that has it, in turns.

import { compareRounds, type OperationResult } from '../comparison.ts'
import type { DataSet } from '../data/data-sets.ts'
import { load } from '../load.ts'
import { type Pace, type Round, requestsOf, round, warmUp } from '../measure.ts'
import { type Call, type Operation, serviceRequest } from '../operations/operation.ts'
import { feeds, reads } from '../operations/reads.ts'
import { writes } from '../operations/writes.ts'
import type { ServerProcess, ServiceProcess } from '../processes.ts'
import type { Peer } from './peer.ts'

const SHARED = ['profile-ticket', 'followers', 'tips-of-profile', 'feed-200-R-1', 'like', 'create-tip', 'follow']

/**
 * The operations that at least one peer has too. `existing` are the follows and likes in the data, as baseline paths: to
 * repeat one succeeds on the service and fails on a peer, so that nobody is asked to.
 */
export function sharedOperations(existing: ReadonlySet<string>): Operation[] {
  const all = [...reads, ...feeds, ...writes]
  return SHARED.map((name) => withoutExisting(all.find((one) => one.name === name) as Operation, existing))
}

function withoutExisting(operation: Operation, existing: ReadonlySet<string>): Operation {
  if (operation.sequenceLength !== 2) return operation
  return {
    ...operation,
    calls(set) {
      const next = operation.calls(set)
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

/** How many times as many requests per second as each peer. */
export function targetOf({ writes }: Operation): number {
  return writes ? 2 : 3
}

type Summary = OperationResult['service']
export type PeerResult = { name: string; summary: Summary; ratio: NonNullable<OperationResult['ratio']> }
export type SharedResult = {
  name: string
  title: string
  target: number
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

/** null: a data set of this size has nobody to request it for. */
export async function measureShared(operation: Operation, bed: Bed, pace: Pace): Promise<SharedResult | null> {
  const candidates = candidatesOf(operation, bed, pace)
  if (candidates === null) return null
  const { service, peers } = candidates
  const running = [service, ...peers.flatMap((peer) => peer ?? [])]
  const warmUpSeconds = Math.min(pace.seconds * pace.rounds, WARM_UP_CPU_SECONDS)
  for (const { server, run } of running) await warmUp(server, warmUpSeconds, run)
  for (let count = 0; count < pace.rounds; count++) {
    // Another one begins each time, so that none is always measured after the same neighbour.
    const turn = count % running.length
    for (const one of [...running.slice(turn), ...running.slice(0, turn)]) one.rounds.push(await one.run())
  }
  const compared = peers.map((peer) => (peer === null ? null : comparison(service.rounds, peer)))
  const first = compared.find((one) => one !== null)
  if (first === undefined) throw new Error(`${operation.name}: no peer has it`)
  const { name, title } = operation
  return {
    name,
    title,
    target: targetOf(operation),
    service: first.service,
    peers: compared.map((one) => one?.peer ?? null),
  }
}

type Candidate = { name: string; server: ServerProcess; rounds: Round[]; run(): Promise<Round> }

function candidatesOf(operation: Operation, { set, service, peers, databasePid }: Bed, { seconds }: Pace) {
  const candidate = (
    name: string,
    server: ServerProcess,
    toRequest: (call: Call) => Buffer,
    peer?: Peer,
  ): Candidate => {
    // Each has its own sequence of calls: writes of one must not be skipped by another.
    const request = requestsOf(operation, operation.calls(set) as (connection: number) => Call, toRequest)
    const isExpected = peer === undefined ? {} : { isExpected: peer.isExpected }
    const run = () => round(operation, { server, request, seconds, ...isExpected }, databasePid)
    return { name, server, rounds: [], run }
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

function comparison(service: Round[], { name, rounds }: Candidate): { service: Summary; peer: PeerResult } {
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
