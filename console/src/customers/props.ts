import type { Customer } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import type { Resource } from '../api/resource.ts'

/** What each tab of the customer page gets. */
export type CustomerProps = {
  customer: Customer
  query: URLSearchParams
  /** Shows the customer as the answer of a change has it. */
  onChanged: Resource<Customer>['replace']
  reload: () => void
}

/** Empty fields are left out. */
export function customerLink(id: string, fields: { tab: string; list?: string; from?: string; to?: string }): string {
  const given = Object.entries(fields).filter(([, value]) => value !== '')
  return `${linkTo('customers', id)}?${new URLSearchParams(given)}`
}
