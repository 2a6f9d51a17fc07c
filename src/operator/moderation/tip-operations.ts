import { mostTippedOutcomes, type TopOutcomeRow } from '../../communities/store.ts'
import { readLikedTips, readNewestTips, type TipFilter } from '../../moderation/queue/tip-list.ts'
import type { TipRow } from '../../moderation/queue/tip-list-store.ts'
import { REVIEWED_TIP_STATES, TIP_STATES, type TipState } from '../../record/tip-state.ts'
import { TIP_STATUSES } from '../customers/activity-operations.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { notValid } from '../server/problem.ts'
import { shown } from '../server/shown.ts'

export const tipsQuery = s.allOptional({
  order: s.withDefault(
    s.oneOf(
      ['newest', 'liked'],
      'newest',
      '`liked`: the most liked first, of the tips that lists show: live ones that are open or won.',
    ),
    'newest',
  ),
  featured: s.oneOf(['true'], 'true', 'Only featured ones, the newest first.'),
  state: s.oneOf(TIP_STATES, 'live', 'Not with `liked`. Held ones are among the removed.'),
  sportId: s.id('1'),
  profileId: s.id('2', 'Only tips of this author.'),
  ...paging,
})

const idText = (example: string) => s.fromColumn(s.string(example), (id: number) => `${id}`)

const tip = s.namedObject('Tip', {
  id: idText('5'),
  text: s.string('Looks good today'),
  state: s.oneOf(REVIEWED_TIP_STATES, 'live'),
  result: s.oneOf(['open', 'won', 'lost', 'void'], 'open'),
  isFeatured: s.boolean(false),
  numLikes: s.count(3),
  createdAt: s.time(),
  sportId: idText('1'),
  profileId: idText('2'),
  profileName: s.string('Lucky Liz', 'Empty: it has none.'),
  outcome: s.string('Rovers'),
  event: s.string('Rovers v United'),
  startsAt: s.time('When the event starts.'),
})
export type Tip = s.ValueOf<typeof tip>

const topOutcome = s.namedObject('TopOutcome', {
  id: s.string('7'),
  name: s.string('Rovers'),
  market: s.string('Match result'),
  event: s.string('Rovers v United'),
  sportId: s.string('1'),
  numTips: s.count(12, 'Live tips.'),
  numLikes: s.count(30, 'The likes of these tips.'),
})
export const topOutcomeList = s.object({
  items: s.list(topOutcome, 'The 20 outcomes with the most live tips.'),
})
export type TopOutcomes = s.ValueOf<typeof topOutcomeList>
export const tips = s.page(tip)

const tipOf = shown(tip)

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
        return { items: found.rows.map(showTip), cursor: found.cursor }
      }
      if (filter.featured || filter.state !== null) {
        throw notValid([{ pointer: 'query/order', detail: 'must be newest with featured or state' }])
      }
      const [likes = MAX_LIKES, before = LAST] = positionOf(cursor, [MAX_LIKES, LAST])
      const rows = await readLikedTips(database, filter, { likes, before, limit: limit + 1 })
      const found = pageOf(rows, limit, (row) => [row.num_likes, row.id])
      return { items: found.rows.map(showTip), cursor: found.cursor }
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

type Sent = { featured?: 'true'; state?: TipState; sportId?: string; profileId?: string }

function filterOf({ featured, state = undefined, sportId, profileId }: Sent): TipFilter {
  return {
    featured: featured === 'true',
    state: state ?? null,
    sportId: sportId === undefined ? null : Number(sportId),
    profileId: profileId === undefined ? null : Number(profileId),
  }
}

const showTip = (row: TipRow) => tipOf(row, { result: TIP_STATUSES[row.status] })

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
