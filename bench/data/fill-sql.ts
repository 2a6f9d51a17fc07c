// The SQL that fills a data set: the same on both engines, straight into the tables, with every count as the service
// would have it. Random numbers are i * factor mod a prime, so that a data set is always the same.

import { storedWords } from '../../src/platform/runtime/search-words.ts'
import { hashOf } from '../../src/platform/runtime/secrets.ts'
import { CLOSING, PRICE, recordSteps, TERMS } from './record-sql.ts'
import {
  API_KEY,
  celebrity,
  celebrityFollowers,
  crowdedMarket,
  FIRST_BET,
  firstOpenEvent,
  readerOf,
  regulars,
  SECRET,
  type Size,
  ticketOf,
} from './sizes.ts'

/** With `rows` 0 one statement, else one for every 50,000 rows: NUMBERS stands for a CTE `n` of the numbers `i`. */
export type FillStep = { title: string; rows: number; sql: string }

const DAY_MS = 86_400_000
const PAST_MS = 400 * DAY_MS
/** After the start; less than the time between two events of the large set. */
const SETTLED_AFTER_MS = 1_800_000
const PRIME = 2_147_483_647

/** A random number from 0 to 1 for each i; each factor gives another sequence. */
function chance(factor: number): string {
  return `(cast((i * ${factor}) % ${PRIME} as double precision) / ${PRIME})`
}

/** One of the crowd, popular ones more often: the density falls with the rank to the power of 1/power - 1. */
function skewed(size: Size, factor: number, power: number): string {
  return `1 + (cast(floor(${size.profiles} * pow(${chance(factor)}, ${power})) as bigint) * 7907) % ${size.profiles}`
}

/** One of the regulars, who are the most popular of the active ones. */
function regular(size: Size): string {
  return `1 + (2 * (i / 40 % ${regulars(size)}) * 7907) % ${size.profiles}`
}

/** Odd ids, writers, the celebrity and readers are always active. */
function isInactive(size: Size, id: string): string {
  return `(${id} % 100 = 38 and ${id} > ${size.writers} and ${id} <= ${size.profiles})`
}

function shown(size: Size, ...ids: string[]): string {
  return `case when ${ids.map((id) => isInactive(size, id)).join(' or ')} then 0 else 1 end`
}

export function fillSteps(size: Size, now: number): FillStep[] {
  return [
    ...people(size, now),
    ...follows(size, now),
    ...catalogue(size, now),
    ...tips(size, now),
    ...counts(size),
    ...recordSteps(),
  ]
}

function people(size: Size, now: number): FillStep[] {
  const all = size.profiles + 1 + size.followings.length
  const withTicket = [...Array.from({ length: size.writers }, (_, index) => index + 1)]
  for (let id = size.profiles + 1; id <= all; id++) withTicket.push(id)
  const sessions = withTicket.map((id) => `('${hashOf(ticketOf(id))}', ${id}, ${now}, ${now}, ${now + 3650 * DAY_MS})`)
  return [
    {
      title: 'the application',
      rows: 0,
      sql: `insert into application (api_key, name, secret_hash, created_at)
        values ('${API_KEY}', 'Bench', '${hashOf(SECRET)}', ${now})`,
    },
    {
      title: 'customers',
      rows: all,
      sql: `insert into customer (id, status, verified, currency, funds_statement_version, created_at)
        NUMBERS select i, 'active', 1, 'GBP', 1, ${now - PAST_MS} from n`,
    },
    {
      title: 'profiles',
      rows: all,
      sql: `insert into profile (id, customer_id, name, name_key, biography, status, created_at, name_words,
          biography_words)
        NUMBERS select i, i, 'Tipster ' || i, 'TIPSTER ' || i, '${BIOGRAPHY}',
          case when ${isInactive(size, 'i')} then 'I' else 'A' end, ${now - PAST_MS} + i, ' tipster ' || i,
          '${storedWords(BIOGRAPHY)}' from n`,
    },
    {
      title: 'sessions',
      rows: 0,
      sql: `insert into session (ticket_hash, customer_id, created_at, used_at, expires_at) values ${sessions.join(', ')}`,
    },
    {
      title: 'cards',
      rows: size.writers,
      sql: `insert into payment_method (id, customer_id, type, token, min_deposit, max_deposit, card_number, expiry_date,
          country, scheme, funding, created_at)
        NUMBERS select i, i, 'CARD', 'sandbox:approve', 1, 100000, '411111******1111', '12/49', 'GB', 'VISA', 'debit',
          ${now} from n`,
    },
  ]
}

function follows(size: Size, now: number): FillStep[] {
  const star = celebrity(size)
  const fans = celebrityFollowers(size)
  const insert = 'insert into follow (follower_id, followee_id, created_at, shown)'
  const at = (rows: number) => `${now - PAST_MS} + i * ${Math.floor(PAST_MS / rows)}`
  return [
    {
      title: 'follows of the celebrity',
      rows: fans,
      sql: `${insert} NUMBERS select i, ${star}, ${at(fans)}, ${shown(size, 'i')} from n`,
    },
    ...size.followings.map((followings) => ({
      title: `follows of the reader of ${followings}`,
      rows: followings,
      // Even ranks (active profiles), ever further apart, so that they are distinct.
      sql: `${insert} NUMBERS select ${readerOf(size, followings)},
          1 + (2 * (i - 1 + cast(floor((${size.profiles / 2 - followings}) *
            pow(cast(i - 1 as double precision) / ${followings}, 3)) as bigint)) * 7907) % ${size.profiles},
          ${at(followings)}, 1 from n`,
    })),
    {
      title: 'follows',
      rows: size.follows,
      sql: `${insert} NUMBERS select follower, followee, ${at(size.follows)}, ${shown(size, 'follower', 'followee')}
        from (select i, ${skewed(size, 1_327_217_885, 1.5).replace('7907', '7919')} as follower,
          ${skewed(size, 1_055_230_181, 3)} as followee from n) pair
        where follower <> followee on conflict (follower_id, followee_id) do nothing`,
    },
  ]
}

function catalogue(size: Size, now: number): FillStep[] {
  const { market, outcome } = crowdedMarket(size)
  const open = firstOpenEvent(size)
  // Settled ones over as long a time as tips, so that all were created before the start.
  const start = `${now} + case when i < ${open} then (i - ${open}) * ${Math.floor(PAST_MS / open)}
    else (i - ${open} + 1) * ${Math.floor((200 * DAY_MS) / open)} end`
  const settledAt = (event: string) =>
    `${now} + (${event} - ${open}) * ${Math.floor(PAST_MS / open)} + ${SETTLED_AFTER_MS}`
  return [
    {
      title: 'sports',
      rows: 0,
      sql: `insert into sport (id, name, communities) values (1, 'Racing', 1), (2, 'Football', 1)`,
    },
    {
      title: 'events',
      rows: market,
      sql: `insert into event (id, sport_id, name, start_time, status, settled_at)
        NUMBERS select i, 1 + i % 2, 'The meeting number ' || i, ${start}, 'active',
          case when i < ${open} then ${settledAt('i')} end from n`,
    },
    {
      title: 'markets',
      rows: market,
      sql: `insert into market (id, event_id, name, status, settled_at)
        NUMBERS select i, i, 'Result', 'active', case when i < ${open} then ${settledAt('i')} end from n`,
    },
    {
      title: 'outcomes',
      rows: 3 * market,
      sql: `insert into outcome (id, market_id, name, status, starting_price, price_num, price_den, result, settled_at,
          closing_num, closing_den)
        NUMBERS select i + 2, (i + 2) / 3, 'Runner ' || (i + 2), 'active', 0, ${PRICE.num}, ${PRICE.den},
          case when (i + 2) / 3 >= ${open} then null when (i + 2) / 3 % 40 = 0 then 'void'
            when i % 3 = (i + 2) / 3 % 3 then 'win' else 'lose' end,
          case when (i + 2) / 3 < ${open} then ${settledAt('(i + 2) / 3')} end,
          case when (i + 2) / 3 < ${open} then ${CLOSING.num} end, case when (i + 2) / 3 < ${open} then ${CLOSING.den} end
        from n where i + 2 <= ${outcome + 2}`,
    },
    {
      title: 'bets',
      rows: size.bets,
      sql: `insert into bet (id, customer_id, placed_at) NUMBERS select ${FIRST_BET} + i, 1 + i % ${size.writers}, ${now} from n`,
    },
    {
      title: 'outcomes of bets',
      rows: size.bets,
      sql: `insert into bet_outcome (bet_id, outcome_id)
        NUMBERS select ${FIRST_BET} + i, 3 * (${open} + i % ${open}) + i % 3 from n`,
    },
  ]
}

const TIP = 'Travels well and stays further; the price will not last '
const BIOGRAPHY = 'Two-year-olds over six furlongs, mostly on soft ground.'

function tips(size: Size, now: number): FillStep[] {
  const { outcome } = crowdedMarket(size)
  const { tips, likes, profiles, events } = size
  // Over time from the first events to the last; of each event's outcomes the first is the favourite.
  const author = `case when i % 40 = 10 then ${regular(size)} else ${skewed(size, 784_558_821, 2)} end`
  const event = `1 + cast(floor(${events - 1} * (0.6 * i / ${tips} + 0.4 * ${chance(1_583_458_089)})) as bigint)`
  return [
    {
      title: 'tips',
      rows: tips,
      sql: `insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, words, created_at, start_order,
          status, state, listed, ${Object.keys(TERMS).join(', ')})
        NUMBERS select i, author, o.id, e.sport_id, i, 0, '${TIP}' || i, '${storedWords(TIP)} ' || i,
          ${now - PAST_MS} + i * ${Math.floor(PAST_MS / tips)}, -e.start_time, ${STATUS}, state,
          case when state = 'live' and (o.result is null or o.result = 'win') then ${STATUS} end,
          ${Object.values(TERMS).join(', ')}
        from (select i, ${author} as author,
            case when i % 20 = 0 then ${outcome}
              else 3 * (${event}) + cast(floor(3 * pow(${chance(92_717_207)}, 2)) as bigint) end as outcome,
            case i % 100 when 49 then 'deactivated' when 99 then 'removed' else 'live' end as state from n) tip
        join outcome o on o.id = tip.outcome join market m on m.id = o.market_id join event e on e.id = m.event_id`,
    },
    {
      title: 'likes',
      rows: likes,
      sql: `insert into comment_like (comment_id, profile_id, created_at)
        NUMBERS select c.id, profile, ${now - PAST_MS} + i * ${Math.floor(PAST_MS / likes)}
        from (select i, ${tips} - cast(floor(${tips} * pow(${chance(1_732_050_807)}, 3)) as bigint) as comment,
            1 + (i * 7919) % ${profiles} as profile from n) liked
        join comment c on c.id = liked.comment where c.author_id <> profile
        on conflict (comment_id, profile_id) do nothing`,
    },
  ]
}

const STATUS = `case o.result when 'win' then 'W' when 'lose' then 'L' when 'void' then 'V' else 'A' end`

function counts(size: Size): FillStep[] {
  const all = size.profiles + 1 + size.followings.length
  const oneStatement = (title: string, sql: string): FillStep => ({ title, rows: 0, sql })
  const tally = (column: string, table: string, condition: string) =>
    `left join (select ${column} as id, count(*) as number from ${table} where ${condition} group by ${column})`
  return [
    oneStatement(
      'counts of tips',
      `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
       select c.id, c.author_id, c.outcome_id, c.sport_id, c.listed, coalesce(l.number, 0)
       from comment c ${tally('comment_id', 'comment_like', 'true')} l on l.id = c.id order by c.id`,
    ),
    oneStatement(
      'counts of outcomes',
      `insert into outcome_count (outcome_id, num_live, likes, settled)
       select o.id, sum(case when k.listed = 'A' and p.status = 'A' then 1 else 0 end),
         sum(case when k.listed = 'A' and p.status = 'A' then k.likes else 0 end),
         max(case when o.result is null then 0 else 1 end)
       from comment_count k join profile p on p.id = k.author_id join outcome o on o.id = k.outcome_id group by o.id`,
    ),
    oneStatement(
      'counts of profiles',
      `insert into profile_count (profile_id, num_followers, num_followings, num_live, num_winning)
       select p.id, coalesce(a.number, 0), coalesce(b.number, 0), coalesce(c.number, 0), coalesce(d.number, 0)
       from profile p
       ${tally('followee_id', 'follow', 'shown = 1')} a on a.id = p.id
       ${tally('follower_id', 'follow', 'shown = 1')} b on b.id = p.id
       ${tally('author_id', 'comment', "listed = 'A'")} c on c.id = p.id
       ${tally('author_id', 'comment', "listed = 'W'")} d on d.id = p.id
       where p.id <= ${all}`,
    ),
  ]
}
