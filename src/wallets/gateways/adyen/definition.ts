import type { GatewayDefinition } from '../gateway.ts'
import { readAdyenReport } from './report.ts'

export const adyen: GatewayDefinition = {
  neededSettings: 'ADYEN_API_KEY, ADYEN_MERCHANT_ACCOUNT and ADYEN_HMAC_KEY',
  async open({ wallets }) {
    if (wallets.adyen === null) return null
    // Loaded only when it is configured: loading the HTTP client takes a fifth of the time of a start.
    const { adyenGateway } = await import('./gateway.ts')
    return adyenGateway(wallets.adyen, wallets.gatewayTimeoutMs)
  },
  acknowledgement: '[accepted]',
  readReport: readAdyenReport,
}
