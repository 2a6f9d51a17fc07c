import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { Fault } from '../faults.ts'
import { takeNotification } from '../wallets/notifications.ts'
import { readBody } from './body.ts'

const LARGEST_NOTIFICATION = 256 * 1024

/** Where the gateway tells us things by itself. Signed, so it needs no key of an application. */
export function serveNotifications(app: FastifyInstance, context: Context): void {
  app.post(`/v1/notifications/${context.gateway.name}`, async (request, reply) => {
    request.served.operation = 'gatewayNotification'
    const notifications = context.gateway.readNotifications(await readBody(request.raw, LARGEST_NOTIFICATION))
    if (notifications === null) throw new Fault('notificationInvalid')
    for (const notification of notifications) await takeNotification(context, notification)
    // The gateway repeats a notification until it reads exactly this.
    return reply.header('content-type', 'text/plain').send('[accepted]')
  })
}
