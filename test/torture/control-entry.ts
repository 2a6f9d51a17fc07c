// The service with one rule of its deposits taken away, to show that the torture finds what the rule is for.

import { readConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/observability/log.ts'
import { startService } from '../../src/service.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'

const CONTROLS: Record<string, (port: Gateway) => Gateway> = {
  /** The money is taken at once, before anything is written about it. */
  'charge-first': (port) => ({
    ...port,
    async authorise(request, cv2) {
      const said = await port.authorise(request, cv2)
      if (said.outcome === 'approved') await port.capture({ ...request, gatewayReference: said.gatewayReference })
      return said
    },
  }),
  /** "Not found" is believed at once. */
  'no-grace': (port) => ({
    ...port,
    async cancel(payment, attempt) {
      const said = await port.cancel(payment, attempt)
      return said.outcome === 'notFound' ? { ...said, outcome: 'cancelled' } : said
    },
  }),
}

const control = CONTROLS[process.env.TORTURE_CONTROL ?? '']
if (control === undefined) throw new Error(`TORTURE_CONTROL is one of ${Object.keys(CONTROLS).join(', ')}`)
const service = await startService(readConfig(process.env), {
  log: createLog('silent', () => {}, 0),
  observePorts: { database: (port) => port, gateway: control },
})
process.stdout.write(`listens on ${service.publicUrl}\n`)
