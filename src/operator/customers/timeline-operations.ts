import type { Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { profileOfCustomer } from '../../profiles/store.ts'
import type { OperatorContext } from '../context.ts'
import type { AuditWords } from '../server/audit-sentence.ts'
import { mayRead } from '../server/call-roles.ts'
import { operatorOperation } from '../server/operation.ts'
import { positionOf, toCursor } from '../server/pages.ts'
import { endOfDay } from '../server/query-days.ts'
import { existing, NO_DAY, pageQuery } from './activity-operations.ts'
import { readTimeline, type Source, timeline } from './timeline.ts'
import * as timelineSources from './timeline-sources.ts'

/** `words`: of all operations, this one included. */
export function timelineOperation(words: () => AuditWords) {
  return operatorOperation({
    name: 'readCustomerTimeline',
    summary: 'Read what happened to a customer, newest first',
    description:
      'Registration, stored sessions, deposits and the challenges of issuers, refunds, disputes, withdrawals, limits, time-outs and ' +
      'self-exclusions, tips, moderators’ decisions, and changes by operators from the audit trail. Money only for those who may list deposits.',
    route: 'GET /customers/{id}/timeline',
    role: 'accounts or cashier',
    audit: 'read the timeline of customer {id}',
    query: pageQuery,
    answer: { 200: timeline },
    problems: NO_DAY,
    example: { query: { limit: 20 } },
    async handle(context, { operator, path, query: { cursor, limit, to } }) {
      const from = positionOf(cursor, START)
      const sources = await sourcesFor(context, path.id, operator, words())
      const { items, position, hasMore } = await readTimeline(sources, { from, until: endOfDay('to', to) }, limit)
      const shown = items.map((item) => ({ ...item, at: isoTime(item.at) }))
      return { items: shown, cursor: hasMore ? toCursor(position) : null }
    },
  })
}

/** The positions in all sources (`sourcesFor`): two numbers in the audit trail, one in each other. */
const START = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as const

const NOTHING: Source = { start: [1], read: async () => [] }

/** Always as many sources, so that a cursor fits whoever sends it. */
async function sourcesFor(
  { database }: OperatorContext,
  id: number,
  operator: Operator,
  words: AuditWords,
): Promise<Source[]> {
  const { created_at } = await existing(database, id)
  const profileId = (await database.one(profileOfCustomer, { customerId: id }))?.id
  const maySeeMoney = mayRead(operator, 'deposit')
  const ofMoney = (source: (database: Database, customerId: number) => Source) =>
    maySeeMoney ? source(database, id) : NOTHING
  return [
    timelineSources.changeSource(database, id, { actions: words.changesOf('customer'), sentenceOf: words.sentenceOf }),
    timelineSources.safeguardSource(database, id),
    ofMoney(timelineSources.disputeSource),
    ofMoney(timelineSources.refundSource),
    ofMoney(timelineSources.withdrawalSource),
    ofMoney(timelineSources.challengeSource),
    ofMoney(timelineSources.depositSource),
    profileId === undefined ? NOTHING : timelineSources.decisionSource(database, profileId, words.decisionOf),
    profileId === undefined ? NOTHING : timelineSources.tipSource(database, profileId),
    timelineSources.sessionSource(database, id),
    timelineSources.registrationSource(created_at),
  ]
}
