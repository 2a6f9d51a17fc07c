import { reading, writing } from '../../platform/database/database.ts'

export type SavedViewRow = {
  id: number
  owner: string
  name: string
  address: string
  shared: number
  created_at: number
}

const VIEW = 'id, owner, name, address, shared, created_at'

/** Bounded: an operator has at most `MOST_VIEWS`. */
export const viewsOf = reading<{ owner: string }, SavedViewRow>('viewsOf')`
  select ${VIEW} from saved_view where owner = :owner or shared = 1 order by lower(name), id`

export const MOST_VIEWS = 100

/** No row: the owner has as many as allowed. Throws UniqueViolation when the owner has a view of that name. */
export const insertView = writing<
  { owner: string; name: string; address: string; shared: number; now: number },
  SavedViewRow
>('insertView')`
  insert into saved_view (owner, name, address, shared, created_at)
  select cast(:owner as text), cast(:name as text), cast(:address as text), cast(:shared as integer), cast(:now as bigint)
  where (select count(*) from saved_view where owner = :owner) < ${MOST_VIEWS}
  returning ${VIEW}`

/** `anybody` 1: also a shared view of another operator. */
export const deleteView = writing<{ id: number; owner: string; anybody: number }>('deleteView')`
  delete from saved_view where id = :id and (owner = :owner or (shared = 1 and cast(:anybody as integer) = 1))`
