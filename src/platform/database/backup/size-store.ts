import { type NoParameters, reading } from '../database.ts'

export const databaseBytes = {
  sqlite: reading<NoParameters, { bytes: number }>('bytesOfFile')`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  postgres: reading<NoParameters, { bytes: number }>('bytesOfDatabase')`
    select cast(pg_database_size(current_database()) as double precision) as bytes`,
}
