import { Fault } from '../../faults.ts'
import { negotiate } from '../../http/answers/negotiate.ts'
import { clientNetwork } from '../../http/connection/proxies.ts'
import { memoryOf } from '../../http/limits/limits.ts'
import { type Exchange, refuse } from '../../http/operations/exchange.ts'
import type { PublicListener } from '../../http/operations/public-listener.ts'
import type { MoreRoutes } from '../../http/public-server.ts'
import { EMPTY_BODY, readBody } from '../../http/requests/body.ts'
import type { WalletsContext } from '../context.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { gatewayTable } from '../gateways/gateways.ts'
import { applyNotification } from './notifications.ts'

const MAX_NOTIFICATION = 256 * 1024

/**
 * Receives the gateways' notifications. They are signed and need no application key. Anybody can send requests here, so all
 * senders together get no more slots and memory than an application.
 */
export function serveNotifications(context: WalletsContext, { listener, add }: MoreRoutes): void {
  for (const gateway of context.gateways.configured) {
    add('POST', `/v1/notifications/${gateway.name}`, notificationsOf(gateway, context, listener))
  }
}

function notificationsOf(gateway: Gateway, context: WalletsContext, listener: PublicListener) {
  const { notificationSlots, notificationMemory, recorder, writer } = listener
  const { trustedProxies, deadlines } = context.config
  const { acknowledgement } = gatewayTable[gateway.name]

  async function accept({ request }: Exchange, client: string): Promise<void> {
    const rules = { largest: MAX_NOTIFICATION, deadlineMs: deadlines.bodyMs, ...memoryOf(notificationMemory, client) }
    let body: Buffer = EMPTY_BODY
    try {
      body = await readBody(request, rules)
      const notifications = gateway.readNotifications(body, request.headers)
      if (notifications === null) throw new Fault('notificationInvalid')
      for (const notification of notifications) await applyNotification(context, gateway.name, notification)
    } finally {
      notificationMemory.release(client, body.length)
    }
  }

  async function withSlot(exchange: Exchange): Promise<void> {
    const client = clientNetwork(exchange.request, trustedProxies)
    notificationSlots.take(client, 1)
    try {
      await accept(exchange, client)
    } finally {
      notificationSlots.release(client, 1)
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
