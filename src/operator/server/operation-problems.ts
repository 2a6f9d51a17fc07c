// Which refusals each operation can give: its own, and those that many share.

import type { Schema } from '../../http/representation/json-schema.ts'
import { exampleOf } from './example.ts'
import type { OperatorOperation } from './operation.ts'
import { problem } from './problem-schema.ts'

type ProblemStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503

type Shared = {
  readonly when: string
  /** Title and detail of an example. */
  readonly title: string
  readonly detail: string
  readonly isGivenBy: (operation: OperatorOperation) => boolean
}

const always = () => true
const withBody = ({ body }: OperatorOperation) => body !== undefined
const withJson = ({ body }: OperatorOperation) => body !== undefined && body !== 'stream'

const SHARED: { readonly [S in ProblemStatus]?: Shared } = {
  400: {
    when: 'The body is not well-formed.',
    title: 'Bad request',
    detail: 'The body is not valid JSON (at position 12): fix it.',
    isGivenBy: withBody,
  },
  401: {
    when: 'The token is missing, unknown, expired or revoked.',
    title: 'Unauthorized',
    detail: 'Send an operator token: Authorization: Bearer TOKEN.',
    isGivenBy: always,
  },
  403: {
    when: 'The token’s role is not one of those named here, the token came over plain HTTP in production, or only people decide about money.',
    title: 'Forbidden',
    detail: 'This call needs the role admin; the token "ann" has moderator.',
    isGivenBy: always,
  },
  408: {
    when: 'The body did not arrive in time.',
    title: 'Request Timeout',
    detail: 'The body did not arrive in time: send it again.',
    isGivenBy: withBody,
  },
  413: {
    when: 'The body is larger than 1 MiB.',
    title: 'Payload Too Large',
    detail: 'The body is too large: send at most 1 MiB of JSON.',
    isGivenBy: withJson,
  },
  415: {
    when: 'The body has another content type.',
    title: 'Unsupported media type',
    detail: 'Send this call’s body with content-type: application/json.',
    isGivenBy: withBody,
  },
  422: {
    when: 'A value is missing or not valid; `errors` lists each.',
    title: 'The request is not valid',
    detail: 'path/id must be an id: 1 to 15 digits',
    isGivenBy: always,
  },
  429: {
    when: 'Too many wrong tokens came from this address, or bodies of this caller are still on their way.',
    title: 'Too many requests',
    detail: 'Too many wrong tokens came from 192.0.2.7: try again in 30 s.',
    isGivenBy: always,
  },
  500: {
    when: 'The service failed.',
    title: 'Internal error',
    detail: 'Something went wrong on our side; the log has it under 7c9e6679.',
    isGivenBy: always,
  },
  503: {
    when: 'The database cannot serve now, or there is no memory for the body.',
    title: 'Unavailable',
    detail: 'The database cannot serve now: try again later.',
    isGivenBy: always,
  },
}

export type DescribedProblem = {
  readonly status: ProblemStatus
  readonly when: string
  readonly schema: Schema
  readonly example: object
  /** The same for every operation that gives it. */
  readonly isShared: boolean
}

/** By status. */
export function problemsOf(operation: OperatorOperation): DescribedProblem[] {
  const shared = (Object.entries(SHARED) as [string, Shared][])
    .filter(([, { isGivenBy }]) => isGivenBy(operation))
    .map(([status, one]) => sharedProblem(Number(status) as ProblemStatus, one))
  const own = Object.entries(operation.problems).map(([status, one]) => {
    const { when, schema = problem } = typeof one === 'string' ? { when: one } : one
    return ownProblem(Number(status) as 404 | 409 | 422, when, schema)
  })
  const ownStatuses = own.map(({ status }) => status)
  return [...shared.filter(({ status }) => !ownStatuses.includes(status)), ...own].sort(
    (one, other) => one.status - other.status,
  )
}

function sharedProblem(status: ProblemStatus, { when, title, detail }: Shared): DescribedProblem {
  const example = { type: 'about:blank', title, status, detail }
  return { status, when, schema: problem, example, isShared: true }
}

const OWN_TITLES = { 404: 'Not found', 409: 'Conflict', 422: 'The request is not valid' }

function ownProblem(status: 404 | 409 | 422, when: string, schema: Schema): DescribedProblem {
  // A value that is not valid may also be the operation's own concern.
  const both = status === 422 ? `${SHARED[422]?.when} ${when}` : when
  const example = { ...(exampleOf(schema) as object), title: OWN_TITLES[status], status, detail: when }
  return { status, when: both, schema, example, isShared: false }
}
