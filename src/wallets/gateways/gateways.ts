import type { Config } from '../../platform/config/config.ts'
import { adyen } from './adyen/definition.ts'
import type { Gateway, GatewayDefinition, GatewayName } from './gateway.ts'
import { sandbox } from './sandbox/definition.ts'

/** Every gateway, by its name in settings and deposits. */
export const gatewayTable: Readonly<Record<GatewayName, GatewayDefinition>> = { sandbox, adyen }

export function isGatewayName(name: string): name is GatewayName {
  return Object.hasOwn(gatewayTable, name)
}

export type Gateways = {
  /** For new deposits: the one that GATEWAY names. */
  readonly current: Gateway
  /** All whose settings are present; each finishes the deposits that were stored with it. */
  readonly configured: readonly Gateway[]
  /** undefined: no gateway of this name is configured. There is no fallback to another one. */
  byName(name: string): Gateway | undefined
  close(): Promise<void>
}

/** `observe` may wrap each gateway, for the tests that count calls. */
export async function openGateways(config: Config, observe = (gateway: Gateway) => gateway): Promise<Gateways> {
  const configured: Gateway[] = []
  for (const definition of Object.values(gatewayTable)) {
    const gateway = await definition.open(config)
    if (gateway !== null) configured.push(observe(gateway))
  }
  const named = (name: string) => configured.find((gateway) => gateway.name === name)
  const current = named(config.wallets.gateway)
  if (current === undefined)
    throw new Error(`GATEWAY=${config.wallets.gateway}: ${howToConfigure(config.wallets.gateway)}`)
  return {
    current,
    configured,
    byName: named,
    async close() {
      for (const gateway of configured) await gateway.close()
    },
  }
}

/** Explains to the operator how to configure a gateway. */
export function howToConfigure(name: string): string {
  if (!isGatewayName(name)) return 'this version has no such gateway; start a version that has it'
  return `it needs ${gatewayTable[name].neededSettings}`
}
