// The SQL of the history of safeguards (safeguards.ts). Its table is append-only.

import { reading, writing } from '../../platform/database/database.ts'

export type SafeguardKind = 'limit.changed' | 'customer.excluded'

export const insertSafeguardChange = writing<{ customerId: number; kind: SafeguardKind; now: number; data: string }>(
  'insertSafeguardChange',
)`
  insert into safeguard_change (customer_id, kind, at, data) values (:customerId, :kind, :now, :data)`

export type SafeguardRow = { id: number; kind: SafeguardKind; at: number; data: string }

/** Newest first. */
export const safeguardChangesBefore = reading<{ customerId: number; before: number; limit: number }, SafeguardRow>(
  'safeguardChangesBefore',
)`
  select id, kind, at, data from safeguard_change where customer_id = :customerId and id < :before
  order by id desc limit :limit`
