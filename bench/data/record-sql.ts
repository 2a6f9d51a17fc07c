// The records of a data set: the terms of tips, and what settled tips won or lost at them. Figures come from the service's own
// function, for each combination of terms and result; SQL joins them with the tips.

import { figuresOfTip, type Result } from '../../src/record/figures.ts'

/** Prices of outcomes: 1/1 … 20/1 to 1/4 … 20/4, by the number `i`. */
export const PRICE = { num: '1 + i % 20', den: '1 + i % 4' }
const [MAX_NUM, MAX_DEN] = [20, 4]

/** Prices move: some tips took a better one than the closing price, some the same, some a worse one. */
export const TERMS = {
  record_num: 'o.price_num + i % 3',
  record_den: 'o.price_den',
  each_way_num: 'case when e.sport_id = 1 and i % 10 = 3 then 1 end',
  each_way_den: 'case when e.sport_id = 1 and i % 10 = 3 then 5 end',
}
const MOVES = [0, 1, 2]
export const CLOSING = { num: `${PRICE.num} + 1`, den: PRICE.den }
const CLOSING_MOVE = 1
const EACH_WAYS = [null, { num: 1, den: 5 }]
const RESULTS: Result[] = ['win', 'lose', 'void']

export function recordSteps(): { title: string; rows: 0; sql: string }[] {
  return [
    { title: 'grades', rows: 0, sql: GRADES },
    { title: 'sums of grades', rows: 0, sql: SUMS },
  ]
}

/** One row for each combination of terms, closing price and result. */
function figures(): string {
  const rows: string[] = []
  for (let price = 1; price <= MAX_NUM; price++) {
    for (let den = 1; den <= MAX_DEN; den++) {
      for (const move of MOVES) {
        for (const eachWay of EACH_WAYS)
          rows.push(...RESULTS.map((result) => figuresRow({ price, den, move, eachWay }, result)))
      }
    }
  }
  return rows.join(', ')
}

type Terms = { price: number; den: number; move: number; eachWay: { num: number; den: number } | null }

function figuresRow({ price, den, move, eachWay }: Terms, result: Result): string {
  const taken = { num: price + move, den }
  const closing = { num: price + CLOSING_MOVE, den }
  const outcome = { result, deadHeat: null, placeDeadHeat: null, rule4: 0, startingPrice: null, closing }
  const tip = figuresOfTip({ price: taken, eachWay }, outcome, false)
  if (tip === null) throw new Error('a tip at a fixed price counts')
  const key = [termsKey(taken.num, den, closing.num, eachWay?.den ?? 0), `'${result}'`]
  return `(${[...key, tip.band, `'${tip.grade}'`, tip.stake, tip.profit, tip.odds, tip.returnSquare, tip.closing ?? 'null'].join(', ')})`
}

/** One number, by which SQLite can join: it builds no index for a join of columns with values that have no type. */
function termsKey(
  ...parts: [num: string | number, den: string | number, closing: string | number, eachWay: string | number]
) {
  return parts.reduce((key, part) => `(${key}) * 100 + ${part}`)
}

/** The first of two tips of one author on one outcome counts. None was created after the start. */
const GRADES = `insert into tip_grade (profile_id, comment_id, sport_id, band, day, in_play, grade, stake, profit, odds,
    return_square, closing, withdrawn)
  with figures (terms, result, band, grade, stake, profit, odds, return_square, closing) as
    materialized (values ${figures()})
  select c.author_id, c.id, c.sport_id, f.band, o.settled_at / 86400000, 0, f.grade, f.stake, f.profit, f.odds,
    f.return_square, f.closing, case c.state when 'live' then 0 else 1 end
  from (select min(id) as id from comment group by author_id, outcome_id) counting
  join comment c on c.id = counting.id join outcome o on o.id = c.outcome_id
  join figures f on f.terms = ${termsKey('c.record_num', 'c.record_den', 'o.closing_num', 'coalesce(c.each_way_den, 0)')}
    and f.result = o.result
  order by c.author_id, c.id`

const SUMS = `insert into record_sum (profile_id, in_play, day, sport_id, band, num_won, num_lost, num_void, num_withdrawn,
    staked, profit, odds, return_squares, num_closing, closing, num_beaten)
  select profile_id, in_play, day, sport_id, band, sum(case grade when 'W' then 1 else 0 end),
    sum(case grade when 'L' then 1 else 0 end), sum(case grade when 'V' then 1 else 0 end), sum(withdrawn), sum(stake),
    sum(profit), sum(odds), sum(return_square), count(closing), coalesce(sum(closing), 0),
    sum(case when closing > 0 then 1 else 0 end)
  from tip_grade group by profile_id, in_play, day, sport_id, band order by profile_id, in_play, day`
