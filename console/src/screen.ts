import type { ReactNode } from 'react'
import type { Route } from '../../web/route.ts'
import type { OperationName } from './api/operations.ts'
import type { Decisions } from './moderation/decisions.ts'

export type Screen = {
  name: string
  /** The address has an id after the name. */
  hasId?: true
  title: string
  section: 'Moderation' | 'Customers' | 'Money' | 'Access' | 'Service' | null
  requiredCalls: readonly OperationName[]
  render: (route: Route, decisions: Decisions) => ReactNode
}

export const idOf = ({ path }: Route) => path[1] ?? ''
