import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Gateway } from './gateway.ts'
import { openSandboxBank } from './sandbox/bank.ts'
import { sandboxGateway } from './sandbox/gateway.ts'

/** Those that are called over HTTP are loaded when they are chosen: their client takes a fifth of a start to load. */
export async function openGateway({ wallets, dataFolder }: Config): Promise<Gateway> {
  const { gatewayTimeoutMs } = wallets
  if (wallets.gateway === 'adyen') {
    const { adyenGateway } = await import('./adyen/gateway.ts')
    return adyenGateway(wallets.adyen, gatewayTimeoutMs)
  }
  if (wallets.sandboxGatewayUrl !== null) {
    const { remoteSandboxGateway } = await import('./sandbox/remote-gateway.ts')
    return remoteSandboxGateway(wallets.sandboxGatewayUrl, gatewayTimeoutMs)
  }
  return sandboxGateway(openSandboxBank(join(dataFolder, 'sandbox-gateway.db')), gatewayTimeoutMs)
}
