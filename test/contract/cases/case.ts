import type { FaultKind } from '../../../src/faults.ts'
import type { CallOptions, TestService } from '../../harness/service.ts'

export type Attempt = { path: string } & Pick<CallOptions, 'ticket' | 'headers' | 'body'>

type Provoke = (service: TestService) => Promise<Attempt & { faultName: string | undefined }>

/** How to make an operation succeed, and how to provoke each fault that it declares, with each faultName of its row. */
export type OperationCase = {
  success: (service: TestService) => Promise<Attempt>
  faults: { [K in FaultKind]?: Provoke | readonly Provoke[] }
}

export type Cases = { [operation: string]: OperationCase }
