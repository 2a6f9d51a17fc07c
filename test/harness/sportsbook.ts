// A small catalogue for tests, created through the operator API.

import { expect } from 'vitest'
import type { Result } from '../../src/record/figures.ts'
import type { Json, Reply, TestCustomer, TestService } from './service.ts'

// Above the ids that suites choose themselves: all suites of a process share this counter.
let ids = 10_000_000

type OperatorClient = Pick<TestService, 'operator'>

export type TestOutcome = { id: number; marketId: number; eventId: number; sportId: number }

type MatchOptions = { sportId?: number; communities?: boolean; startTime?: string; outcomes?: number }

/** Creates an event with one market and returns its outcomes, priced 11/10. */
export async function newMatch(service: OperatorClient, options: MatchOptions = {}): Promise<TestOutcome[]> {
  const { sportId = 1, communities = true, startTime = '2030-01-01T15:00:00Z', outcomes = 2 } = options
  const eventId = ++ids
  const marketId = ++ids
  const created = Array.from({ length: outcomes }, () => ({ id: ++ids, marketId, eventId, sportId }))
  await operatorOk(service, 'PUT', `/sports/${sportId}`, { name: `Sport ${sportId}`, communities })
  await operatorOk(service, 'PUT', `/events/${eventId}`, {
    sportId,
    name: `Event ${eventId}`,
    startTime,
    markets: [
      {
        id: marketId,
        name: 'Match result',
        outcomes: created.map(({ id }) => ({ id, name: `Outcome ${id}`, price: { num: 11, den: 10 } })),
      },
    ],
  })
  return created
}

export async function newBet(service: OperatorClient, customerId: number, outcomeIds: number[]): Promise<number> {
  const id = ++ids
  await operatorOk(service, 'PUT', `/bets/${id}`, { customerId, outcomeIds })
  return id
}

/** A call of the operator API that must succeed. */
export async function operatorOk(service: OperatorClient, method: string, path: string, body: unknown): Promise<Json> {
  const reply = await service.operator(method, `/operator/v1${path}`, body)
  expect([path, reply.status, reply.body]).toEqual([
    path,
    expect.toSatisfy((status) => status < 300),
    expect.anything(),
  ])
  return reply.body
}

export function settle(service: TestService, outcome: TestOutcome, result: Result | object): Promise<Json> {
  return operatorOk(service, 'POST', `/markets/${outcome.marketId}/settlement`, { results: { [outcome.id]: result } })
}

type TipOptions = { text?: string; betId?: number; accept?: string; more?: string }

export async function postTip(
  service: TestService,
  customer: TestCustomer,
  outcomeId: number,
  options: TipOptions = {},
): Promise<Reply> {
  const betId = options.betId ?? (await newBet(service, customer.id, [outcomeId]))
  const text = encodeURIComponent(options.text ?? 'A fine price')
  const path = `/v1/communities/comments/me/outcomes/${outcomeId}?betId=${betId}&text=${text}${options.more ?? ''}`
  return service.call('POST', path, { ticket: customer.ticket, accept: options.accept ?? 'application/json' })
}

/** Posts a tip, which must succeed, and returns its id. */
export async function newTip(service: TestService, customer: TestCustomer, outcomeId: number, options?: TipOptions) {
  const reply = await postTip(service, customer, outcomeId, options)
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return Number(reply.json().whoCommunities.comment.id)
}

/** The ids of a list of comments, in its order. */
export async function commentIds(service: TestService, path: string, ticket?: string): Promise<number[]> {
  const options = { accept: 'application/json', ...(ticket === undefined ? {} : { ticket }) }
  const reply = await service.call('GET', `/v1/communities/comments/${path}`, options)
  if (reply.status === 204) return []
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return [reply.json().whoCommunities.comment].flat().map((comment: Json) => Number(comment.id))
}
