// What a customer did, as the console's customer page shows it.

import {
  boolean,
  count,
  list,
  named,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { TIP_STATES } from '../../record/tip-state.ts'
import { id, page, time } from '../server/fields.ts'
import { paging } from '../server/pages.ts'

export const pageQuery = object({}, paging)

// ---- Bets

const outcomeFields = {
  event: string({ examples: ['Ascot 14:30'] }),
  market: string({ examples: ['To win'] }),
  outcome: string({ examples: ['Tin Soldier'] }),
}

const bet = named(
  'CustomerBet',
  object({
    id: id('70012'),
    placedAt: time(),
    cashedOut: boolean({ description: 'Whether a part of it was cashed out.', examples: [false] }),
    legs: list(
      object({
        outcomeId: id('80021'),
        ...outcomeFields,
        price: orNull(string({ examples: ['5/2'] }), { description: 'The price taken, where it is known.' }),
        result: orNull(string(), { description: 'null: not settled.', examples: [null] }),
      }),
    ),
  }),
)
export type CustomerBet = ValueOf<typeof bet>
export const bets = page(bet)

// ---- Tips

const tip = named(
  'CustomerTip',
  object({
    id: id('24'),
    at: time(),
    text: string({ examples: ['Bigger at the off, you will see'] }),
    state: oneOf(TIP_STATES, {
      description: 'Shown, taken back by its author, or removed by a moderator.',
      examples: ['live'],
    }),
    status: oneOf(['open', 'won', 'lost', 'void'], { examples: ['open'] }),
    featured: boolean({ examples: [false] }),
    likes: count({ examples: [4] }),
    ...outcomeFields,
  }),
)
export type CustomerTip = ValueOf<typeof tip>
export const tips = page(tip)

// ---- Flags

export const flagQuery = object(
  {},
  {
    direction: withDefault(
      oneOf(['given', 'received'], {
        description: 'By the customer, or on its profile and tips.',
        examples: ['given'],
      }),
      'received',
    ),
    ...paging,
  },
)
export type FlagQuery = ValueOf<typeof flagQuery>

const flag = named(
  'CustomerFlag',
  object({
    kind: oneOf(['profile', 'comment'], { examples: ['comment'] }),
    id: id('24'),
    byProfileId: id('3'),
    at: time(),
    decided: boolean({ description: 'Whether a moderator has decided on the subject since.', examples: [false] }),
  }),
)
export type CustomerFlag = ValueOf<typeof flag>
export const flags = page(flag)

// ---- The timeline

const item = named(
  'TimelineItem',
  object({
    at: time(),
    kind: oneOf(['registration', 'session', 'deposit', 'tip', 'decision', 'change'], { examples: ['change'] }),
    text: string({ examples: ['ann suspended customer 19 (reason: Two accounts with one card)'] }),
    subject: orNull(
      object({
        kind: oneOf(['deposit', 'comment', 'profile'], { examples: ['comment'] }),
        id: string({ examples: ['24'] }),
      }),
      { description: 'What it is about, where that is not the customer.', examples: [null] },
    ),
  }),
)
export type TimelineItem = ValueOf<typeof item>

export const timeline = page(item)
