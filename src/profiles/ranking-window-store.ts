import { reading, writing } from '../platform/database/database.ts'

type StoredWindow = { ids: string; follows: number; fresh_until: number }

export const storedWindow = reading<{ days: number }, StoredWindow>('storedWindow')`
  select ids, follows, fresh_until from ranking_window where days = :days`

/** Only if the window is still as it was read. A claim expires, so that its process may die. */
export const claimWindow = writing<{ days: number; seen: number; now: number; until: number }>('claimWindow')`
  update ranking_window set claimed_until = :until
  where days = :days and fresh_until = :seen and (claimed_until <= :now or claimed_until > :until)`

export const storeWindow = writing<{ days: number; ids: string; follows: number; freshUntil: number }>('storeWindow')`
  insert into ranking_window (days, ids, follows, fresh_until, claimed_until) values (:days, :ids, :follows, :freshUntil, 0)
  on conflict (days) do update set ids = excluded.ids, follows = excluded.follows,
    fresh_until = excluded.fresh_until, claimed_until = 0`
