import { join } from 'node:path'
import type { Config } from '../platform/config/config.ts'
import { openDataFolder } from '../platform/runtime/data-folder.ts'
import { startSandboxGateway } from '../wallets/gateways/sandbox/server.ts'

/** `paddock gateway`: the sandbox gateway as a process of its own, with its payments in DATA_DIR. */
export function openGatewayProcess(config: Config) {
  openDataFolder(config.dataFolder)
  const file = join(config.dataFolder, 'sandbox-gateway.db')
  return startSandboxGateway(file, '127.0.0.1', config.wallets.sandboxGatewayPort)
}
