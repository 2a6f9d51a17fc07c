import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { adyenGateway } from './adyen.ts'
import type { Gateway } from './gateway.ts'
import { sandboxGateway } from './sandbox.ts'
import { openSandboxBank } from './sandbox-bank.ts'
import { remoteSandboxGateway } from './sandbox-remote.ts'

export function openGateway({ wallets, dataFolder }: Config): Gateway {
  const { gatewayTimeoutMs } = wallets
  if (wallets.gateway === 'adyen') return adyenGateway(wallets.adyen, gatewayTimeoutMs)
  if (wallets.sandboxGatewayUrl !== null) return remoteSandboxGateway(wallets.sandboxGatewayUrl, gatewayTimeoutMs)
  return sandboxGateway(openSandboxBank(join(dataFolder, 'sandbox-gateway.db')), gatewayTimeoutMs)
}
