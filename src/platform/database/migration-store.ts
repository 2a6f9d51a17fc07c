import { type NoParameters, reading, writing } from './database.ts'

export type AppliedMigration = { number: number; name: string; checksum: string }

export const appliedMigrations = reading<NoParameters, AppliedMigration>('appliedMigrations')`
  select number, name, checksum from migration order by number`

export const lastMigration = reading<NoParameters, { number: number }>('lastMigration')`
  select max(number) as number from migration`

export const recordMigration = writing<{ number: number; name: string; checksum: string; now: number }>(
  'recordMigration',
)`
  insert into migration (number, name, checksum, applied_at) values (:number, :name, :checksum, :now)`

/** The migrations that a version without them may run on. */
export const neighbours = reading<NoParameters, { number: number }>('neighbours')`select number from neighbour`

export const recordNeighbours = writing<{ numbers: string }>('recordNeighbours')`
  insert into neighbour (number) select cast(value as integer) from jsonb_array_elements(:numbers)`
