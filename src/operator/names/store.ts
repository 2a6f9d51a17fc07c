import { reading } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'

type CustomerName = { id: number; username: string | null; name: string | null }

export const namesOfCustomers = reading<{ ids: string }, CustomerName>('namesOfCustomers')`
  select c.id, c.username, p.name from customer c left join profile p on p.customer_id = c.id where c.id ${inList('ids')}`

export const namesOfProfiles = reading<{ ids: string }, { id: number; name: string | null }>('namesOfProfiles')`
  select id, name from profile where id ${inList('ids')}`
