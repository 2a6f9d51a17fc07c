import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startSandboxGateway } from '../wallets/gateways/sandbox-server.ts'

/** `paddock gateway`: the sandbox's bank on its own, on SANDBOX_GATEWAY_PORT, remembering in DATA_DIR. */
export async function runGateway(environment: Record<string, string | undefined>) {
  const folder = environment.DATA_DIR || './data'
  mkdirSync(folder, { recursive: true })
  const port = Number(environment.SANDBOX_GATEWAY_PORT || 8082)
  return startSandboxGateway(join(folder, 'sandbox-gateway.db'), '127.0.0.1', port)
}
