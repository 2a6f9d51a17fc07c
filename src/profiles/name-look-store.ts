import { locking, writing } from '../platform/database/database.ts'
import { bigint, rowList, text } from '../platform/database/table-store.ts'

export const lockNamesWithoutLook = locking<{ after: number; limit: number }, { id: number; name: string }>(
  'lockNamesWithoutLook',
)`
  select id, name from profile where name is not null and name_look is null and id > :after order by id limit :limit
  for no key update`

export const nameLookList = rowList({ id: bigint, look: text })

/** Leaves out names whose look another profile has. */
export const setNameLooks = writing<{ rows: string }>('setNameLooks')`
  update profile set name_look = made.look from (${nameLookList.select}) as made
  where profile.id = made.id and not exists (select 1 from profile other where other.name_look = made.look)`
