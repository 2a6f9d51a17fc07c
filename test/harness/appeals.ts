import { expect } from 'vitest'
import type { Json, TestCustomer, TestService } from './service.ts'
import { newMatch, newTip, type TestOutcome } from './sportsbook.ts'

export const MODERATION = '/v1/moderation/me'

type Member = TestCustomer & { profileId: number }

export const appealPath = (decisionId: number | string) => `${MODERATION}/${decisionId}/appeal`

/** What the member reads about decisions, newest first. */
export async function ownDecisions(service: TestService, { ticket }: TestCustomer): Promise<Json[]> {
  const reply = await service.call('GET', MODERATION, { ticket, accept: 'application/json' })
  if (reply.status === 204) return []
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return [reply.json().whoDecisions.decision].flat()
}

/** Returns the answer's subject. */
export async function decide(service: TestService, path: string, body: object, token?: string): Promise<Json> {
  const reply = await service.operator('POST', `/operator/v1/moderation/${path}`, body, token)
  expect([reply.status, reply.body]).toEqual([200, expect.anything()])
  return reply.body
}

export async function tipBy(service: TestService, author: Member): Promise<number> {
  return newTip(service, author, ((await newMatch(service))[0] as TestOutcome).id)
}

/** Removed after somebody flagged it. */
export async function removedTip(service: TestService, body: object = {}, token?: string) {
  const [author, reporter] = [await service.member(), await service.member()]
  const tip = await tipBy(service, author)
  await flagTip(service, reporter, tip)
  const { decisions } = await decide(service, `comments/${tip}`, { action: 'remove', ...body }, token)
  return { author, reporter, tip, decisionId: Number(decisions.at(-1).id) }
}

export async function flagTip(service: TestService, { ticket }: TestCustomer, tip: number): Promise<void> {
  expect((await service.call('POST', `/v1/communities/comments/${tip}/flag`, { ticket })).status).toBe(204)
}

/** A flag that was rejected. */
export async function keptTip(service: TestService) {
  const [author, reporter] = [await service.member(), await service.member()]
  const tip = await tipBy(service, author)
  await flagTip(service, reporter, tip)
  const { decisions } = await decide(service, `comments/${tip}`, { action: 'keep' })
  return { author, reporter, tip, decisionId: Number(decisions.at(-1).id) }
}

export function appeal(
  service: TestService,
  { ticket }: TestCustomer,
  decisionId: number,
  text = 'Please read it again',
) {
  return service.call('POST', `${appealPath(decisionId)}?text=${encodeURIComponent(text)}`, { ticket })
}

/** Returns the id of the appeal. */
export async function appealed(service: TestService, who: TestCustomer, decisionId: number): Promise<number> {
  const reply = await appeal(service, who, decisionId)
  expect([reply.status, reply.text]).toEqual([204, ''])
  const own = (await ownDecisions(service, who)).find(({ id }) => Number(id) === decisionId)
  return Number(own.appeal.id)
}
