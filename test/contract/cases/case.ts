import type { FaultKind } from '../../../src/faults.ts'
import type { CallOptions, TestService } from '../../harness/service.ts'

export type Attempt = { path: string } & Pick<CallOptions, 'ticket' | 'headers' | 'body'>

/** How to make an operation succeed, and how to provoke each fault that its row declares. */
export type OperationCase = {
  success: (service: TestService) => Promise<Attempt>
  faults: { [K in FaultKind]?: (service: TestService) => Promise<Attempt & { faultName: string | undefined }> }
}

export type Cases = { [operation: string]: OperationCase }
