import type { ExclusionRegister } from '../identity/exclusions/register.ts'
import type { Context } from '../platform/context.ts'
import type { Gateways } from './gateways/gateways.ts'

export type WalletsContext = Context & {
  readonly exclusionRegister: ExclusionRegister
  readonly gateways: Gateways
}
