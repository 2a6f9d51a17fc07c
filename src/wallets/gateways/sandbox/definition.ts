import { join } from 'node:path'
import type { GatewayDefinition } from '../gateway.ts'
import { openSandboxBank } from './bank.ts'
import { sandboxGateway } from './gateway.ts'
import { readPayments } from './payments-report.ts'

export const sandbox: GatewayDefinition = {
  neededSettings: 'MODE=sandbox',
  async open({ mode, wallets, dataFolder }) {
    if (mode === 'production') return null
    const { sandboxGatewayUrl, gatewayTimeoutMs } = wallets
    if (sandboxGatewayUrl === null) {
      return sandboxGateway(openSandboxBank(join(dataFolder, 'sandbox-gateway.db')), gatewayTimeoutMs)
    }
    // Loaded only when it is configured: loading the HTTP client takes a fifth of the time of a start.
    const { remoteSandboxGateway } = await import('./remote-gateway.ts')
    return remoteSandboxGateway(sandboxGatewayUrl, gatewayTimeoutMs)
  },
  // It sends no notifications, so it acknowledges none.
  acknowledgement: '',
  readReport: readPayments,
}
