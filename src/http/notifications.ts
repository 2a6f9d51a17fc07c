import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import { takeNotification } from '../wallets/notifications.ts'
import { EMPTY_BODY, readBody } from './body.ts'
import { type Exchange, refuse } from './exchange.ts'
import { memoryOf } from './limits.ts'
import { negotiate } from './negotiate.ts'
import { clientAddress } from './proxies.ts'
import type { PublicListener } from './public-listener.ts'

const LARGEST_NOTIFICATION = 256 * 1024

export function notificationsPath({ gateway }: Context): string {
  return `/v1/notifications/${gateway.name}`
}

/**
 * Receives the gateway's notifications. They are signed and need no application key. As anybody can send something here, one
 * address gets no more slots and memory than an application.
 */
export function serveNotifications({ context, slots, bodyMemory, recorder, writer }: PublicListener) {
  const { trustedProxies, deadlines } = context.config

  async function accept({ request }: Exchange, client: string): Promise<void> {
    const rules = { largest: LARGEST_NOTIFICATION, deadlineMs: deadlines.bodyMs, ...memoryOf(bodyMemory, client) }
    let body: Buffer = EMPTY_BODY
    try {
      body = await readBody(request, rules)
      const notifications = context.gateway.readNotifications(body)
      if (notifications === null) throw new Fault('notificationInvalid')
      for (const notification of notifications) await takeNotification(context, notification)
    } finally {
      bodyMemory.giveBack(client, body.length)
    }
  }

  async function withSlot(exchange: Exchange): Promise<void> {
    const client = clientAddress(exchange.request, trustedProxies)
    slots.take(client, 1)
    try {
      await accept(exchange, client)
    } finally {
      slots.giveBack(client, 1)
    }
  }

  return async (exchange: Exchange): Promise<void> => {
    const { request, response, record } = exchange
    record.operation = 'gatewayNotification'
    try {
      await withSlot(exchange)
      // The gateway repeats a notification until it reads exactly this.
      writer.sendPlainText(response, '[accepted]', record.id)
    } catch (error) {
      refuse(writer, error, exchange, negotiate(request.headers.accept) ?? 'xml')
    }
    recorder.finish(record, response.statusCode)
  }
}
