// What Alice, Bob and Carol have on an afternoon: a tip each, and stakes that their balance can pay. What their bets return is
// booked when an event is settled, as a sportsbook does it. Each booking has a reference of its own, so that a process which continues the afternoon of
// another one books nothing twice.

import { idListOf, textListOf } from '../../platform/database/row-list-store.ts'
import { readAsset } from '../../platform/runtime/assets.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { figuresOfTip, type OutcomeResult, type TipTerms } from '../../record/figures.ts'
import type { Results } from '../../sportsbook/settlement.ts'
import { movementsByReference } from '../../wallets/account/movement-store.ts'
import { applyMovements, type Movement } from '../../wallets/account/movements.ts'
import type { SandboxContext } from '../context.ts'
import { createMissingTip } from '../world/tips.ts'
import { priceAt } from './price-ladder.ts'
import type { Racecard, RacecardBet, RacecardEvent } from './racecard.ts'
import { tipsOnBets } from './store.ts'

/** `stake`: on each bet, each way twice. `text`: of the tip, unless the customer has written one on this racecard. */
type Own = { readonly customer: number; readonly stake: string; readonly text: string }
const { own: OWN } = readAsset<{ own: readonly Own[] }>('sandbox/afternoon.json')
const EACH_WAY = { num: 1, den: 5 }

/** Before the first event starts. */
export async function strikeOwnBets(context: SandboxContext, racecard: Racecard): Promise<void> {
  for (const { customer, stake, text } of OWN) {
    const bets = racecard.bets.filter(({ customerId }) => customerId === customer)
    await book(
      context,
      bets.map((bet) => movementOf(bet, 'stake', stakedOn(bet, stake))),
    )
    const tips = await tipsOf(context, bets)
    const [first] = bets
    if (first !== undefined && tips.size === 0)
      await createMissingTip(context, customer, { id: first.outcomeId, betId: first.id, text })
  }
}

/** What the bets on an event return; again it books nothing. */
export async function payOwnBets(context: SandboxContext, racecard: Racecard, event: RacecardEvent): Promise<void> {
  const staked = await bookedOf(context, racecard.bets, 'stake')
  const returns = ownBetsOn(racecard, event).flatMap(({ bet, stake }) => {
    const { isVoid, returned } = resultOf(bet, stake, event)
    return staked.has(bet.id) && returned > 0n ? [movementOf(bet, isVoid ? 'void' : 'winnings', returned)] : []
  })
  await book(context, returns)
}

export type ShownBet = {
  readonly id: number
  readonly selection: string
  readonly eventId: number
  readonly event: string
  readonly eachWay: boolean
  /** null: the balance could not pay it. */
  readonly stake: string | null
  readonly tipId: number | null
  /** placed: each way, and less came back than was staked. */
  readonly state: 'open' | 'won' | 'placed' | 'lost' | 'void'
  /** What came back, with the stake; null until the event is settled. */
  readonly returned: string | null
}

/** `settled`: the ids of events that are. */
export async function shownBets(
  context: SandboxContext,
  racecard: Racecard,
  customerId: number,
  settled: ReadonlySet<number>,
): Promise<ShownBet[]> {
  const staked = await bookedOf(context, racecard.bets, 'stake')
  const tips = await tipsOf(context, racecard.bets)
  return racecard.events.flatMap((event) =>
    ownBetsOn(racecard, event)
      .filter(({ bet }) => bet.customerId === customerId)
      .map(({ bet, stake }) => {
        const result = resultOf(bet, stake, event)
        const isSettled = settled.has(event.id)
        return {
          id: bet.id,
          selection: runnersOf(event).find(({ id }) => id === bet.outcomeId)?.name ?? '',
          eventId: event.id,
          event: event.name,
          eachWay: bet.eachWay,
          stake: staked.has(bet.id) ? formatMoney(stakedOn(bet, stake)) : null,
          tipId: tips.get(bet.id) ?? null,
          state: isSettled ? stateOf(result) : 'open',
          returned: isSettled && staked.has(bet.id) ? formatMoney(result.returned) : null,
        } as const
      }),
  )
}

// ---- Parts

const pence = (stake: string) => parseMoney(stake) as bigint
const stakedOn = ({ eachWay }: RacecardBet, stake: string) => (eachWay ? 2n : 1n) * pence(stake)
const runnersOf = ({ markets }: RacecardEvent) => markets.flatMap(({ runners }) => runners)

/** The bets of the three customers on one event. */
function ownBetsOn({ bets }: Racecard, event: RacecardEvent): { bet: RacecardBet; stake: string }[] {
  const outcomes = new Set(runnersOf(event).map(({ id }) => id))
  return bets
    .filter(({ outcomeId }) => outcomes.has(outcomeId))
    .flatMap((bet) => {
      const own = OWN.find(({ customer }) => customer === bet.customerId)
      return own === undefined ? [] : [{ bet, stake: own.stake }]
    })
}

/** At the price of the beginning, which is the one of the tip. */
function resultOf(bet: RacecardBet, stake: string, { markets }: RacecardEvent) {
  const market = markets.find(({ runners }) => runners.some(({ id }) => id === bet.outcomeId))
  const runner = market?.runners.find(({ id }) => id === bet.outcomeId)
  if (market === undefined || runner === undefined) throw new Error(`bet ${bet.id} is on no runner of its event`)
  const terms = { price: priceAt(runner.rung), eachWay: bet.eachWay ? EACH_WAY : null }
  return returnsOf(terms, outcomeResult(market.results[bet.outcomeId]), pence(stake))
}

/** With the stake; each way it is paid twice. */
function returnsOf(terms: TipTerms, result: OutcomeResult, stake: bigint) {
  const staked = terms.eachWay === null ? stake : 2n * stake
  const figures = figuresOfTip(terms, result, false)
  const isVoid = figures?.grade === 'V'
  const profit = (BigInt(figures?.profit ?? 0) * stake) / 1_000_000n
  return { staked, isVoid, returned: isVoid ? staked : staked + profit }
}

function outcomeResult(result: Results[string] | undefined): OutcomeResult {
  const given = typeof result === 'object' ? result : { result: result ?? 'void' }
  return {
    result: given.result,
    deadHeat: given.deadHeat ?? null,
    placeDeadHeat: given.placeDeadHeat ?? null,
    rule4: Math.round(Number(given.rule4 ?? 0) * 100),
    startingPrice: null,
    closing: null,
  }
}

function stateOf({ isVoid, staked, returned }: ReturnType<typeof returnsOf>): ShownBet['state'] {
  if (isVoid) return 'void'
  if (returned === 0n) return 'lost'
  return returned < staked ? 'placed' : 'won'
}

const referenceOf = (kind: string, betId: number) => `afternoon-${kind}-${betId}`

function movementOf(bet: RacecardBet, kind: 'stake' | 'winnings' | 'void', amount: bigint): Movement {
  return { reference: referenceOf(kind, bet.id), customerId: bet.customerId, kind, amount, betId: bet.id }
}

/** What the balance cannot pay is left out, as is what an operator has forbidden meanwhile. */
async function book({ config, database, now, log }: SandboxContext, movements: readonly Movement[]): Promise<void> {
  if (movements.length === 0) return
  const results = await database.transaction((tx) => applyMovements(tx, movements, { config, now, by: null }))
  for (const result of results)
    if (result instanceof Refused) log.info({ err: result }, 'a bet of the afternoon was not booked')
}

async function bookedOf(
  { database }: SandboxContext,
  bets: readonly RacecardBet[],
  kind: string,
): Promise<Set<number>> {
  const references = textListOf(bets.map(({ id }) => referenceOf(kind, id)))
  const rows = await database.query(movementsByReference, { references })
  return new Set(rows.map(({ bet_id }) => bet_id as number))
}

/** Ids of tips by bet. */
async function tipsOf({ database }: SandboxContext, bets: readonly RacecardBet[]): Promise<Map<number, number>> {
  const betIds = idListOf(new Set(bets.map(({ id }) => id)))
  return new Map((await database.query(tipsOnBets, { betIds })).map(({ bet_id, id }) => [bet_id, id]))
}
