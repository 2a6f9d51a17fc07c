import { type Operation, operationWith } from '../http/operations/operation.ts'
import { blockParameters, normalisedText, type Parameter, pathId } from '../http/requests/parameters.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { listOwnDecisions, makeAppeal } from './own-decisions.ts'
import { decisionList } from './shapes.ts'

const MAX_TEXT_LENGTH = 1000

const text: Parameter<string> = {
  from: 'query or form',
  meaning: 'why the decision should be overturned, up to 1,000 characters, with up to 10 line feeds',
  required: true,
  absent: '',
  lines: true,
  parse: (raw) => normalisedText(raw, { least: 1, most: MAX_TEXT_LENGTH }),
  schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH },
}

const operation = operationWith<ProfilesContext>()

export const appealOperations: Operation<ProfilesContext>[] = [
  operation({
    name: 'getMyModeration',
    summary:
      'Moderators’ decisions on the caller’s content, with their reasons, and on what the caller flagged, newest first',
    route: 'GET /v1/moderation/me',
    mayBeStale: true,
    extension: true,
    ticket: 'required',
    parameters: blockParameters,
    answer: { status: 200, document: decisionList, mayBeEmpty: true },
    handle: (context, { caller, parameters }) => listOwnDecisions(context, caller.customerId, parameters),
  }),
  operation({
    name: 'appealDecision',
    summary: 'Appeal against a decision on the caller’s content, or against the rejection of the caller’s flag',
    route: 'POST /v1/moderation/me/{decisionId}/appeal',
    extension: true,
    ticket: 'required',
    parameters: { decisionId: pathId('id of the decision'), text },
    faults: { noDecision: 'decisionId', notAppealable: 'decisionId', appealExists: 'decisionId' },
    handle: (context, { caller, parameters }) => makeAppeal(context, caller.customerId, parameters),
  }),
]
