import { mostTippedOutcomes, type TopOutcomeRow } from '../../communities/store.ts'
import { readLikedTips, readNewestTips, type TipFilter } from '../../moderation/tip-list.ts'
import type { TipRow } from '../../moderation/tip-list-store.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, positionOf } from '../server/pages.ts'
import { notValid } from '../server/problem.ts'
import { type Tip, type TopOutcomes, tips, tipsQuery, topOutcomeList } from './tip-schemas.ts'

const RESULTS = { A: 'open', W: 'won', L: 'lost', V: 'void' } as const
const LAST = Number.MAX_SAFE_INTEGER
const MAX_LIKES = 2_147_483_647

export const tipOperations = [
  operatorOperation({
    name: 'listTips',
    summary: 'Browse tips',
    description: 'The newest or the most liked first, by state, sport and author; or the featured ones.',
    route: 'GET /comments',
    role: 'moderator',
    audit: 'listed tips',
    query: tipsQuery,
    answer: { 200: tips },
    problems: { 422: '`liked` with `state` or `featured`.' },
    example: { query: { order: 'newest', limit: 20 } },
    async handle({ database }, { query: { order, limit, cursor, ...sent } }) {
      const filter = filterOf(sent)
      if (order === 'newest') {
        const [before = LAST] = positionOf(cursor, [LAST])
        const found = pageOf(await readNewestTips(database, filter, { before, limit: limit + 1 }), limit, ({ id }) => [
          id,
        ])
        return { items: found.rows.map(toTip), cursor: found.cursor }
      }
      if (filter.featured || filter.state !== null) {
        throw notValid([{ pointer: 'query/order', detail: 'must be newest with featured or state' }])
      }
      const [likes = MAX_LIKES, before = LAST] = positionOf(cursor, [MAX_LIKES, LAST])
      const rows = await readLikedTips(database, filter, { likes, before, limit: limit + 1 })
      const found = pageOf(rows, limit, (row) => [row.likes, row.id])
      return { items: found.rows.map(toTip), cursor: found.cursor }
    },
  }),
  operatorOperation({
    name: 'listTopOutcomes',
    summary: 'The outcomes that gather the most tips now',
    route: 'GET /outcomes/top',
    role: 'moderator',
    answer: { 200: topOutcomeList },
    handle: async ({ database }) => ({ items: (await database.query(mostTippedOutcomes, {})).map(toTopOutcome) }),
  }),
]

type Sent = { featured?: 'true'; state?: TipRow['state']; sportId?: string; profileId?: string }

function filterOf({ featured, state = undefined, sportId, profileId }: Sent): TipFilter {
  return {
    featured: featured === 'true',
    state: state ?? null,
    sportId: sportId === undefined ? null : Number(sportId),
    profileId: profileId === undefined ? null : Number(profileId),
  }
}

function toTip(row: TipRow): Tip {
  return {
    id: String(row.id),
    text: row.text,
    state: row.state,
    result: RESULTS[row.status],
    isFeatured: row.featured === 1,
    numLikes: row.likes,
    createdAt: isoTime(row.created_at),
    sportId: String(row.sport_id),
    profileId: String(row.author_id),
    profileName: row.author_name ?? '',
    outcome: row.outcome_name,
    event: row.event_name,
  }
}

function toTopOutcome(row: TopOutcomeRow): TopOutcomes['items'][number] {
  return {
    id: String(row.outcome_id),
    name: row.outcome_name,
    market: row.market_name,
    event: row.event_name,
    sportId: String(row.sport_id),
    numTips: row.num_live,
    numLikes: row.likes,
  }
}
