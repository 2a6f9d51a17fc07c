import { type NoParameters, reading } from '../database.ts'

export const brokenReferences = reading<NoParameters, { table: string; parent: string }>('brokenReferences')`
  select "table", parent from pragma_foreign_key_check limit 1`
