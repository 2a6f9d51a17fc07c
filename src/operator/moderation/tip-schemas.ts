import {
  boolean,
  count,
  list,
  named,
  object,
  oneOf,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { TIP_STATES } from '../../record/tip-state.ts'
import { id, page, time } from '../server/fields.ts'
import { paging } from '../server/pages.ts'

export const tipsQuery = object(
  {},
  {
    order: withDefault(
      oneOf(['newest', 'liked'], {
        description: '`liked`: the most liked first, of the tips that lists show: live ones that are open or won.',
        examples: ['newest'],
      }),
      'newest',
    ),
    featured: oneOf(['true'], { description: 'Only featured ones, the newest first.', examples: ['true'] }),
    state: oneOf(TIP_STATES, { description: 'Not with `liked`.', examples: ['live'] }),
    sportId: id('1'),
    profileId: id('2', { description: 'Of this author.' }),
    ...paging,
  },
)

const tip = named(
  'Tip',
  object({
    id: string({ examples: ['5'] }),
    text: string({ examples: ['Looks good today'] }),
    state: oneOf(TIP_STATES, { examples: ['live'] }),
    result: oneOf(['open', 'won', 'lost', 'void'], { examples: ['open'] }),
    isFeatured: boolean({ examples: [false] }),
    numLikes: count({ examples: [3] }),
    createdAt: time(),
    sportId: string({ examples: ['1'] }),
    profileId: string({ examples: ['2'] }),
    profileName: string({ description: 'Empty: it has none.', examples: ['Lucky Liz'] }),
    outcome: string({ examples: ['Rovers'] }),
    event: string({ examples: ['Rovers v United'] }),
  }),
)
export type Tip = ValueOf<typeof tip>

const topOutcome = named(
  'TopOutcome',
  object({
    id: string({ examples: ['7'] }),
    name: string({ examples: ['Rovers'] }),
    market: string({ examples: ['Match result'] }),
    event: string({ examples: ['Rovers v United'] }),
    sportId: string({ examples: ['1'] }),
    numTips: count({ description: 'Live tips.', examples: [12] }),
    numLikes: count({ description: 'Of these tips.', examples: [30] }),
  }),
)
export const topOutcomeList = object({
  items: list(topOutcome, { description: 'The 20 outcomes with the most live tips.' }),
})
export type TopOutcomes = ValueOf<typeof topOutcomeList>
export const tips = page(tip)
