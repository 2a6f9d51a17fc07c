import {
  count,
  integer,
  list,
  named,
  number,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { REQUESTS_KEPT } from '../../platform/observability/recent-requests.ts'
import { text, time } from '../server/fields.ts'

export const requestsQuery = object(
  {},
  {
    limit: withDefault(integer(1, REQUESTS_KEPT, { description: 'How many, at most.', examples: [20] }), 50),
    operation: text(1, 100, { description: 'Only requests of this operation.', examples: ['getProfile'] }),
    faultsOnly: withDefault(
      oneOf(['true', 'false'], { description: 'Only requests that were answered with a fault.', examples: ['true'] }),
      'false',
    ),
  },
)

const request = named(
  'RecentRequest',
  object({
    id: string({ description: 'As in the header `x-request-id` and in the log.', examples: ['k3x9ab-17'] }),
    at: time({ description: 'When it was answered.' }),
    method: string({ examples: ['GET'] }),
    path: string({
      description:
        'With its query, as it was sent. “…” stands for secrets, for parameters that the operation does not have, and for what is too long.',
      examples: ['/v1/profiles/7'],
    }),
    operation: string({ examples: ['getProfile'] }),
    status: integer(100, 599, { examples: [404] }),
    fault: orNull(
      object({
        code: string({ examples: ['30410'] }),
        name: string({ description: 'The faultName: mostly the parameter at fault.', examples: ['7'] }),
        meaning: string({ examples: ['No profile found for id'] }),
      }),
    ),
    hint: orNull(string(), {
      description: 'The header `x-hint` of the answer: why the body was not read.',
      examples: ['The body was not read, because it is JSON: send application/x-www-form-urlencoded.'],
    }),
    ms: number(0, Number.MAX_SAFE_INTEGER, { examples: [1.32] }),
    customerId: orNull(string(), { description: 'Whose ticket was sent; null: none.', examples: ['1'] }),
    representation: oneOf(['xml', 'json'], { description: 'Of the answer.', examples: ['json'] }),
  }),
)

export const recentRequestList = named(
  'RecentRequests',
  object({
    application: string({ description: 'Its name.', examples: ['Mobile app'] }),
    items: list(request, { description: 'The newest first.' }),
    unanswered: count({ description: 'Workers that did not answer; their requests are missing.', examples: [0] }),
  }),
)
export type RecentRequests = ValueOf<typeof recentRequestList>
