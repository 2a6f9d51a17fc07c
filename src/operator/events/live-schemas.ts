import {
  count,
  list,
  named,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import type { PresenceKind } from '../../streams/console/store.ts'
import { time } from '../server/fields.ts'

const KINDS = ['profile', 'comment', 'deposit'] as const satisfies PresenceKind[]

const kind = oneOf(KINDS, { examples: ['profile'] })
const itemId = string({ pattern: '^[0-9A-Za-z-]{1,40}$', examples: ['15'] })
const waiting = count({ description: 'Counted up to 1000.', examples: [3] })
const failing = count({
  description: 'Endpoints whose last delivery failed, or that were disabled because of failures.',
  examples: [0],
})
const queue = object({
  waiting,
  newest: list(time(), { description: 'When the newest 20 were first flagged, latest first.' }),
})

const appeals = object({
  waiting,
  newest: list(time(), { description: 'When the newest 20 were made, latest first.' }),
})

const deposits = object({
  waiting,
  newest: list(time(), { description: 'When the newest 20 were put into review, latest first.' }),
})

/** The data of each event, by its type. */
export const liveEvents = object({
  counts: named(
    'LiveCounts',
    object({ profiles: queue, comments: queue, appeals, deposits, webhooks: object({ failing }) }, {}),
  ),
  viewers: list(
    named(
      'Viewer',
      object({
        operator: string({ description: 'The name of the token or person.', examples: ['ann'] }),
        kind,
        id: itemId,
      }),
    ),
    { description: 'Who looks at which item now.' },
  ),
})
export type LiveCounts = ValueOf<typeof liveEvents>['counts']
export type Viewer = ValueOf<typeof liveEvents>['viewers'][number]

export const presenceBody = object({
  tab: string({
    pattern: '^[0-9A-Za-z-]{8,40}$',
    description: 'Chosen by the tab: one tab shows one item.',
    examples: ['1f0c2f8e-5d0b-4a57'],
  }),
  item: orNull(object({ kind, id: itemId }), { description: 'What it shows; null when it shows no item any more.' }),
})
