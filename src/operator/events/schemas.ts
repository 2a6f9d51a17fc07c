import { EVENT_KINDS, type EventKind, eventKinds, type SubjectType } from '../../event-log/kinds.ts'
import {
  anyOf,
  count,
  integer,
  list,
  named,
  object,
  oneOf,
  orNull,
  type Schema,
  string,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { id, time } from '../server/fields.ts'

/** Numbers of a query have 15 digits at most, as ids. */
const LAST_POSITION = 999_999_999_999_999

const SUBJECT_TYPES = ['profile', 'comment', 'market', 'deposit', 'customer'] as const satisfies SubjectType[]

const dataOfKinds = EVENT_KINDS.map((kind) => {
  const names = Object.keys((eventKinds[kind].data as { properties?: object }).properties ?? {})
  return `- \`${kind}\` (${names.length === 0 ? 'no data' : names.map((name) => `\`${name}\``).join(', ')}): ${eventKinds[kind].meaning}`
})

const dataSchema = {
  // Several kinds have the same data.
  ...anyOf([...new Set(EVENT_KINDS.map((kind) => eventKinds[kind].data))]),
  description: `Ids and figures, by type:\n${dataOfKinds.join('\n')}`,
  examples: [{ outcomeId: '1103', result: 'win' }],
} as Schema<{ [name: string]: unknown }>

export const event = named(
  'LoggedEvent',
  object({
    position: integer(1, LAST_POSITION, {
      description: 'Dense, and in the order in which changes were committed.',
      examples: [17],
    }),
    id: string({ description: 'The same in every delivery of the event.', examples: ['evt_17_lqz1x8k0'] }),
    type: oneOf<EventKind>(EVENT_KINDS, { examples: ['tip.settled'] }),
    timestamp: time(),
    subject: object({
      type: oneOf(SUBJECT_TYPES, { examples: ['comment'] }),
      id: string({ examples: ['28'] }),
    }),
    profileId: orNull(id('1'), {
      description: 'The profile that it concerns: the author of the tip, the profile followed.',
    }),
    customerId: orNull(id('1'), { description: 'The customer whom it concerns. Always null for the role feed.' }),
    data: dataSchema,
  }),
)

export const events = object({
  events: list(event),
  next: count({ description: 'Send it as `after` to read on.', examples: [17] }),
  oldest: count({
    description: 'The oldest position that is kept. Events after `after` and before it were deleted after EVENT_DAYS.',
    examples: [1],
  }),
})

const kindList = `(${EVENT_KINDS.join('|').replaceAll('.', '\\.')})`

export const eventsQuery = object(
  {},
  {
    after: withDefault(
      integer(0, LAST_POSITION, {
        description: 'The position of the last event that was read.',
        examples: [0],
      }),
      0,
    ),
    kinds: string({
      pattern: `^${kindList}(,${kindList})*$`,
      description: 'Only events of these types, comma-separated.',
      examples: ['tip.settled,tip.corrected'],
    }),
    limit: withDefault(integer(1, 1000, { description: 'How many events at most.', examples: [100] }), 100),
  },
)
