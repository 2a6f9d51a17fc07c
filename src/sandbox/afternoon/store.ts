import { type NoParameters, reading, writing } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'

export type MatchDayRow = {
  round: number
  state: 'idle' | 'playing' | 'finished'
  claimed_until: number
  started_at: number
  events: string
}

export const matchDayRow = reading<NoParameters, MatchDayRow>('matchDayRow')`
  select round, state, claimed_until, started_at, events from sandbox_match_day where id = 1`

/** Begins the next afternoon; no row: one is being played. */
export const claimMatchDay = writing<{ claim: string; now: number; until: number }, { round: number }>('claimMatchDay')`
  update sandbox_match_day set round = round + 1, state = 'playing', claim = :claim, claimed_until = :until, started_at = :now,
    events = '[]'
  where id = 1 and (state <> 'playing' or claimed_until < :now) returning round`

/** Changes nothing when another process has claimed it since. */
export const saveMatchDay = writing<{ claim: string; state: string; until: number; events: string }>('saveMatchDay')`
  update sandbox_match_day set state = :state, claimed_until = :until, events = :events where id = 1 and claim = :claim`

/** An interrupted afternoon was settled. */
export const endMatchDay = writing<{ round: number; now: number }>('endMatchDay')`
  update sandbox_match_day set state = 'finished'
  where id = 1 and round = :round and state = 'playing' and claimed_until < :now`

export const startOfEvent = reading<{ id: number }, { start_time: number }>('startOfEvent')`
  select start_time from event where id = :id`

export const sandboxProfile = reading<
  { customerId: number },
  { id: number; name: string | null; picture: string | null }
>('sandboxProfile')`
  select id, name, picture from profile where customer_id = :customerId`

export const tipsOnBets = reading<{ betIds: string }, { id: number; bet_id: number }>('tipsOnBets')`
  select c.id, c.bet_id from bet b join profile p on p.customer_id = b.customer_id
    join comment c on c.author_id = p.id and c.bet_id = b.id
  where b.id ${inList('betIds')} and c.state <> 'deactivated'`

export const newestTipOf = reading<{ customerId: number }, { id: number }>('newestTipOf')`
  select c.id from comment c where c.author_id = (select id from profile where customer_id = :customerId)
    and c.state = 'live' order by c.id desc limit 1`
