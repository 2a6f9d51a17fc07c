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
