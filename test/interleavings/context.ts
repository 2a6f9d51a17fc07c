// What functions of wallets need, without a service around it: no listener and no background task, so that nothing but the operation
// that is played runs in a process.

import { exclusionRegister } from '../../src/identity/exclusions/register.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { createMetrics } from '../../src/platform/observability/metrics.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'

export const NEVER_MS = 2 ** 31 - 1

/** All operations happen at this time. */
export const NOW = Date.UTC(2027, 0, 15, 12)

/** On a busy machine, and while another process holds a lock, a statement takes as long as it takes. */
export const PATIENCE = { statementTimeoutMs: 600_000, connectTimeoutMs: 600_000 }

/** In GBP: what needs two persons. */
const SETTINGS = { WITHDRAWAL_APPROVED_UP_TO: '200.00', REFUND_FOUR_EYES_ABOVE: '50.00', PAYOUT_DELAY_HOURS: '0' }

type Ports = { readonly database: Database; readonly gateway: Gateway; readonly now: () => number }

export function openContext(url: string, { database, gateway, now }: Ports): WalletsContext {
  const config = readConfig({ ...SETTINGS, DATABASE_URL: url })
  const metrics = createMetrics(now)
  return {
    config,
    metrics,
    log: createLog('silent', () => {}, 0),
    tracing: null,
    now,
    database,
    exclusionRegister: exclusionRegister(config, 0, { now, metrics }),
    gateways: {
      current: gateway,
      configured: [gateway],
      byName: (name) => (name === gateway.name ? gateway : undefined),
      close: async () => {},
    },
  }
}
