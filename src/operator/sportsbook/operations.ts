import { allSports } from '../../catalogue/store.ts'
import { putBet } from '../../sportsbook/bet.ts'
import * as catalogue from '../../sportsbook/catalogue-changes.ts'
import { applyChange, type Change, repeatUntilFound } from '../../sportsbook/change.ts'
import { settleMarket } from '../../sportsbook/settlement.ts'
import type { OperatorContext } from '../context.ts'
import { operatorOperation } from '../server/operation.ts'
import * as schemas from './schemas.ts'

const KICK_OFF = '2030-03-14T15:00:00Z'

export const sportsbookOperations = [
  operatorOperation({
    name: 'listSports',
    summary: 'List the sports',
    description: 'The first 1000, by name.',
    route: 'GET /sports',
    role: 'moderator',
    answer: { 200: schemas.sportList },
    handle: async ({ database }) => ({
      items: (await database.query(allSports, {})).map(({ id, name }) => ({ id: String(id), name })),
    }),
  }),
  operatorOperation({
    name: 'putSport',
    summary: 'Create or change a sport',
    route: 'PUT /sports/{id}',
    role: 'feed',
    audit: 'created or changed sport {id}',
    body: schemas.sportBody,
    answer: { 200: schemas.stored, 201: schemas.stored },
    example: { path: { id: '40' }, body: { name: 'Darts', communities: true }, answer: { id: '40' } },
    handle: (context, { path, body }) => put(context, path.id, catalogue.putSport(path.id, body)),
  }),
  operatorOperation({
    name: 'putEvent',
    summary: 'Create or change an event with its markets and outcomes',
    description: 'Markets and outcomes that are not named stay as they are. Their ids are unique across events.',
    route: 'PUT /events/{id}',
    role: 'feed',
    audit: 'created or changed event {id}',
    body: schemas.eventBody,
    answer: { 200: schemas.stored, 201: schemas.stored },
    problems: {
      404: 'There is no such sport.',
      409: 'The event belongs to another sport, a market to another event, or an outcome to another market.',
      422: 'A market or an outcome is named twice.',
    },
    example: {
      path: { id: '506' },
      body: {
        sportId: '10',
        name: 'Stoke v Hull',
        startTime: KICK_OFF,
        markets: [
          {
            id: '6008',
            name: 'Match result',
            outcomes: [
              { id: '80071', name: 'Stoke', price: { num: 6, den: 5 } },
              { id: '80072', name: 'Draw', price: { num: 12, den: 5 } },
              { id: '80073', name: 'Hull', price: { num: 2, den: 1 } },
            ],
          },
        ],
      },
      answer: { id: '506' },
    },
    handle: (context, { path, body }) => put(context, path.id, catalogue.putEvent(path.id, body)),
  }),
  operatorOperation({
    name: 'changeEvent',
    summary: 'Suspend, reopen, reschedule or rename an event, or report its score',
    route: 'PATCH /events/{id}',
    role: 'feed',
    audit: 'changed event {id}',
    body: schemas.eventChange,
    answer: { 204: null },
    example: { path: { id: '502' }, body: { startTime: KICK_OFF } },
    handle: (context, { path, body }) => applied(context, catalogue.changeEvent(path.id, body)),
  }),
  operatorOperation({
    name: 'changeMarket',
    summary: 'Suspend, reopen or rename a market',
    route: 'PATCH /markets/{id}',
    role: 'feed',
    audit: 'changed market {id}',
    body: schemas.marketChange,
    answer: { 204: null },
    example: { path: { id: '6003' }, body: { status: 'suspended' } },
    handle: (context, { path, body }) => applied(context, catalogue.changeMarket(path.id, body)),
  }),
  operatorOperation({
    name: 'changeOutcome',
    summary: 'Change the price of an outcome, suspend, reopen or rename it',
    route: 'PATCH /outcomes/{id}',
    role: 'feed',
    audit: 'changed outcome {id}',
    body: schemas.outcomeChange,
    answer: { 204: null },
    example: { path: { id: '80033' }, body: { price: { num: 11, den: 10 } } },
    handle: (context, { path, body }) => applied(context, catalogue.changeOutcome(path.id, body)),
  }),
  operatorOperation({
    name: 'settleMarket',
    summary: 'Settle a market, or correct its results',
    description:
      'Outcomes without a result here keep the one they have. Other results or details than before correct the first; ' +
      'a result without details clears those of an earlier one.',
    route: 'POST /markets/{id}/settlement',
    role: 'feed',
    audit: 'settled market {id}',
    body: schemas.settlementBody,
    answer: { 200: schemas.settlementResult },
    problems: {
      422: 'An outcome is not one of the market, or has details that its result cannot have.',
    },
    example: {
      path: { id: '6002' },
      body: { results: { '80031': { result: 'win', rule4: '0.10' }, '80032': 'lose' } },
      answer: { settled: 2, corrected: 0 },
    },
    handle: (context, { path, body }) => applied(context, settleMarket(path.id, body.results)),
  }),
  operatorOperation({
    name: 'putBet',
    summary: 'Create or change a bet of a customer',
    description: 'Replaces all of the bet. An outcome in both outcomeIds and legs is one leg, with the terms of legs.',
    route: 'PUT /bets/{id}',
    role: 'feed',
    audit: 'created or changed bet {id} of customer {body.customerId}',
    body: schemas.betBody,
    answer: { 200: schemas.stored, 201: schemas.stored },
    problems: {
      404: 'There is no such customer or outcome.',
      409: 'The bet belongs to another customer.',
      422: 'The bet has no outcome or one twice in legs, or terms that contradict each other.',
    },
    example: {
      path: { id: '70040' },
      body: { customerId: '1', legs: [{ outcomeId: '80033', price: { num: 11, den: 10 } }] },
      answer: { id: '70040' },
    },
    handle: (context, { path, body }) => put(context, path.id, putBet(path.id, body)),
  }),
]

async function put(context: OperatorContext, id: number, change: Change<catalogue.PutResult>) {
  const result = await applied(context, change)
  return { status: result === 'created' ? 201 : 200, body: { id: String(id) } } as const
}

/** In one transaction. The update of the affected tips begins before the answer. */
async function applied<T>({ database, now, tipStatus }: OperatorContext, change: Change<T>): Promise<T> {
  const result = await repeatUntilFound(() =>
    database.transaction((transaction) => applyChange(transaction, change, now)),
  )
  await tipStatus.begin()
  return result
}
