import { type Operation, operationWith } from '../http/operations/operation.ts'
import {
  blockParameters,
  type Parameter,
  pathId,
  queryChoice,
  queryDigits,
  queryYesNo,
} from '../http/requests/parameters.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { BAND_NAMES, GRADES, type Grade } from './figures.ts'
import { getRecord, listRecordTips, rankRecords } from './record.ts'
import { profileRecords, rankedRecords, recordTips } from './shapes.ts'
import { DEFAULT_RANKING_DAYS, RANKING_DAYS } from './summary.ts'

const id = pathId('id of the profile')

const sportId = queryDigits('only tips on events of this sport', 0)

const band: Parameter<number> = {
  from: 'query',
  meaning: 'only tips with decimal odds from the first number up to, but not including, the second',
  absent: 0,
  parse: (raw) => BAND_NAMES.indexOf(raw) + 1 || undefined,
  schema: { type: 'string', enum: ['', ...BAND_NAMES] },
}

const numDays: Parameter<number> = {
  from: 'query',
  meaning: 'only tips settled on the last days in UTC, today included; all if absent',
  absent: 0,
  parse: (raw) => RANKING_DAYS.find((days) => days !== 0 && String(days) === raw),
  schema: { type: 'string', enum: ['', ...RANKING_DAYS.filter((days) => days !== 0).map(String)] },
}

const inPlay = queryYesNo('Y: tips created after the start of their event, which have a record of their own')

const status: Parameter<Grade | ''> = {
  from: 'query',
  meaning: 'only tips that won (W), lost (L) or are void (V); all if absent',
  absent: '',
  parse: (raw) => GRADES.find((grade) => grade === raw),
  schema: { type: 'string', enum: ['', ...GRADES] },
}

const operation = operationWith<ProfilesContext>()

export const recordOperations: Operation<ProfilesContext>[] = [
  operation({
    name: 'getRecord',
    summary:
      'What the tips of a profile won or lost, with one point on each: all settled ones that count, withdrawn ones too',
    route: 'GET /v1/profiles/{id}/record',
    mayBeStale: true,
    extension: true,
    ticket: 'optional',
    parameters: { id, sportId, numDays, band, inPlay },
    answer: { status: 200, document: profileRecords },
    faults: { noProfile: 'id' },
    handle: (context, { caller, parameters }) =>
      getRecord(context, { id: parameters.id, customerId: caller.customerId }, parameters),
  }),
  operation({
    name: 'getRecordTips',
    summary: 'All settled tips of a profile’s record, the newest settlement first: losing and withdrawn ones too',
    route: 'GET /v1/profiles/{id}/record/tips',
    mayBeStale: true,
    extension: true,
    ticket: 'optional',
    parameters: { id, status, inPlay, ...blockParameters },
    answer: { status: 200, document: recordTips, mayBeEmpty: true },
    faults: { noProfile: 'id' },
    handle: (context, { caller, parameters }) =>
      listRecordTips(context, { id: parameters.id, customerId: caller.customerId }, parameters),
  }),
  operation({
    name: 'getRecordRanking',
    summary:
      'The 20 profiles with the best records of tips before the start, by the lower end of the yield’s interval; then by more settled tips, then by lower id',
    route: 'GET /v1/profiles/ranking/records',
    mayBeStale: true,
    extension: true,
    ticket: 'optional',
    parameters: {
      numDays: queryChoice(
        'days of settlement to look back, today included; 0 is all',
        RANKING_DAYS.map(String),
        String(DEFAULT_RANKING_DAYS),
      ),
      sportId,
      band,
    },
    answer: { status: 200, document: rankedRecords, mayBeEmpty: true },
    handle: (context, { caller, parameters: { numDays: days, ...board } }) =>
      rankRecords(context, caller.customerId, { ...board, days: Number(days) }),
  }),
]
