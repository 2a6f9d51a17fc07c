// The service without one rule of its deposits or payouts, to show that the torture run finds what the rule prevents.

import { randomUUID } from 'node:crypto'
import { readConfig } from '../../src/platform/config/config.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { startService } from '../../src/service.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'

const CONTROLS: Record<string, (port: Gateway) => Gateway> = {
  /** The money is captured at once, before anything is stored about it. */
  'charge-first': (port) => ({
    ...port,
    async authorise(request, cv2) {
      const result = await port.authorise(request, cv2)
      if (result.outcome === 'approved') await port.capture({ ...request, gatewayReference: result.gatewayReference })
      return result
    },
  }),
  /** The first "not found" is taken as proof of absence. */
  'no-grace': (port) => ({
    ...port,
    async cancel(payment) {
      const result = await port.cancel(payment)
      return result.outcome === 'notFound' ? { ...result, outcome: 'cancelled' } : result
    },
  }),
  /** A payout or return whose result is not known is sent again with another key. */
  'new-key': (port) => {
    const sent = new Set<string>()
    const keyOf = (reference: string) => {
      if (sent.has(reference)) return randomUUID()
      sent.add(reference)
      return reference
    }
    return {
      ...port,
      refund: (payment, refund) => port.refund(payment, { ...refund, reference: keyOf(refund.reference) }),
      payout: (request) => port.payout({ ...request, reference: keyOf(request.reference) }),
    }
  },
}

const control = CONTROLS[process.env.TORTURE_CONTROL ?? '']
if (control === undefined) throw new Error(`TORTURE_CONTROL is one of ${Object.keys(CONTROLS).join(', ')}`)
const service = await startService(readConfig(process.env), {
  log: createLog('silent', () => {}, 0),
  observePorts: { database: (port) => port, gateway: control },
})
process.stdout.write(`listens on ${service.publicUrl}\n`)
