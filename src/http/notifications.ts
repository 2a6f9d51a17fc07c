import { Fault } from '../faults.ts'
import type { Gateway } from '../wallets/gateways/gateway.ts'
import { gatewayTable } from '../wallets/gateways/gateways.ts'
import { applyNotification } from '../wallets/notifications.ts'
import { EMPTY_BODY, readBody } from './body.ts'
import { type Exchange, refuse } from './exchange.ts'
import { memoryOf } from './limits.ts'
import { negotiate } from './negotiate.ts'
import { clientAddress } from './proxies.ts'
import type { PublicListener } from './public-listener.ts'

const LARGEST_NOTIFICATION = 256 * 1024

/**
 * Receives a gateway's notifications. They are signed and need no application key. Anybody can send requests here, so one
 * address gets no more slots and memory than an application.
 */
export function serveNotifications(gateway: Gateway, { context, slots, bodyMemory, recorder, writer }: PublicListener) {
  const { trustedProxies, deadlines } = context.config
  const { acknowledgement } = gatewayTable[gateway.name]

  async function accept({ request }: Exchange, client: string): Promise<void> {
    const rules = { largest: LARGEST_NOTIFICATION, deadlineMs: deadlines.bodyMs, ...memoryOf(bodyMemory, client) }
    let body: Buffer = EMPTY_BODY
    try {
      body = await readBody(request, rules)
      const notifications = gateway.readNotifications(body)
      if (notifications === null) throw new Fault('notificationInvalid')
      for (const notification of notifications) await applyNotification(context, gateway.name, notification)
    } finally {
      bodyMemory.release(client, body.length)
    }
  }

  async function withSlot(exchange: Exchange): Promise<void> {
    const client = clientAddress(exchange.request, trustedProxies)
    slots.take(client, 1)
    try {
      await accept(exchange, client)
    } finally {
      slots.release(client, 1)
    }
  }

  return async (exchange: Exchange): Promise<void> => {
    const { request, response, record } = exchange
    record.operation = 'gatewayNotification'
    try {
      await withSlot(exchange)
      writer.sendPlainText(response, acknowledgement, record.id)
    } catch (error) {
      refuse(writer, error, exchange, negotiate(request.headers.accept) ?? 'xml')
    }
    recorder.finish(record, response.statusCode)
  }
}
