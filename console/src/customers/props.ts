import type { Customer } from '../../../src/operator/api-types.ts'
import type { Resource } from '../api/resource.ts'

/** What each tab of the customer page gets. */
export type CustomerProps = {
  customer: Customer
  /** Shows the customer as the answer of a change has it. */
  onChanged: Resource<Customer>['replace']
  reload: () => void
}
