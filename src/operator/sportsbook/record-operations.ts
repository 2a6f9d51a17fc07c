import { NO_PROFILE as NOBODY } from '../../profiles/profile.ts'
import { profileStatus } from '../../profiles/store.ts'
import { readBoard, readRecordCharts } from '../../record/charts.ts'
import { BAND_NAMES } from '../../record/figures.ts'
import { recountRecord } from '../../record/recount.ts'
import { operatorOperation } from '../server/operation.ts'
import { notFound } from '../server/problem.ts'
import { boardQuery, recordBoard, recordCharts, recordCheck, recordQuery } from './record-schemas.ts'

const NO_PROFILE = 'There is no such profile.'

export const recordOperatorOperations = [
  operatorOperation({
    name: 'readRecord',
    summary: 'Read the record of a profile',
    description: 'What its tips won or lost, with one point on each: in total, day by day, by sport and by price band.',
    route: 'GET /profiles/{id}/record',
    role: 'moderator',
    query: recordQuery,
    answer: { 200: recordCharts },
    example: { path: { id: '2' }, query: { numDays: '90' } },
    handle: ({ database, now }, { path, query: { numDays, inPlay, ...filter } }) =>
      readRecordCharts(
        database,
        path.id,
        { numDays: Number(numDays), inPlay: inPlay === 'Y', ...numbersOf(filter) },
        now(),
      ),
  }),
  operatorOperation({
    name: 'checkRecord',
    summary: 'Recount the record of a profile',
    description:
      'Grades all its tips again, from the tips and the results alone, and compares grades and sums with the stored ones. ' +
      'Tips on outcomes that are being settled are left out.',
    route: 'GET /profiles/{id}/record/check',
    role: 'moderator',
    answer: { 200: recordCheck },
    example: { path: { id: '2' } },
    async handle({ database }, { path: { id } }) {
      if ((await database.one(profileStatus, { id, viewer: NOBODY })) === undefined) throw notFound(NO_PROFILE)
      return recountRecord(database, id)
    },
  }),
  operatorOperation({
    name: 'readRecordRanking',
    summary: 'Read the ranking of records',
    description:
      'The first 100 by the lower end of the yield’s interval, with those that the public ranking leaves out.',
    route: 'GET /records/ranking',
    role: 'moderator',
    query: boardQuery,
    answer: { 200: recordBoard },
    example: { query: { numDays: '0' } },
    handle: async ({ database }, { query: { numDays, ...filter } }) => ({
      items: await readBoard(database, { days: Number(numDays), ...numbersOf(filter) }),
    }),
  }),
]

/** 0: all. */
function numbersOf({ sportId, band }: { sportId?: string; band?: string }): { sportId: number; band: number } {
  return { sportId: Number(sportId ?? 0), band: band === undefined ? 0 : BAND_NAMES.indexOf(band) + 1 }
}
