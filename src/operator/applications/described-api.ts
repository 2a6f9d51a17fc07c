// The public API as its reference describes it, and where this service listens for it.

import type { Operation } from '../../http/operations/operation.ts'
import { once } from '../../platform/runtime/once.ts'
import { type OpenApi, operationsOf, type ReferenceOperation } from '../../reference/document.ts'
import { openApi } from '../../reference/openapi.ts'

export type DescribedApi = {
  readonly operations: () => readonly ReferenceOperation[]
  /** Of this service's own listener, on this machine. */
  readonly address: () => string
  /** Called once the listener has its port. */
  listensAt(address: string): void
}

/** `picture`: the path of one that can be uploaded as an example. */
export function describedApi(offered: readonly Operation<never>[], picture: string): DescribedApi {
  let address = ''
  return {
    operations: once(() => operationsOf(openApi(offered, picture) as OpenApi)),
    address: () => address,
    listensAt(known) {
      address = known
    },
  }
}
