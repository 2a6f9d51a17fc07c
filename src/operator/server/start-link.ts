// Serves the link that `npm start` prints. It leads on to the console at once, so that its code stays in no address bar.

import type { FastifyInstance } from 'fastify'
import { isFromThisMachine } from '../../http/connection/this-machine.ts'
import { beginBootstrapSession } from '../../identity/operators/console-sessions.ts'
import { BOOTSTRAP } from '../../identity/operators/operator.ts'
import { START_LINK_PATH } from '../../identity/operators/start-link.ts'
import type { OperatorContext } from '../context.ts'
import { localSessionCookie } from './console-cookie.ts'
import type { RequestAudit } from './request-audit.ts'
import { uncached } from './sign-in.ts'

export function serveStartLink(app: FastifyInstance, context: OperatorContext, audit: RequestAudit): void {
  const { startLink, now } = context
  if (startLink === null) return
  app.get(START_LINK_PATH, async (request, reply) => {
    request.record.operation = 'signInByLink'
    // A browser that only prepares a page, or a program that only checks an address, must not use the link up.
    if (request.method === 'HEAD' || request.headers['sec-purpose'] !== undefined)
      return uncached(reply).code(204).send()
    const isHere = isFromThisMachine(request.raw)
    if (!isHere || !startLink.use((request.query as { code?: unknown }).code)) {
      const reason = isHere ? 'link-used' : 'link-elsewhere'
      await audit.recordStrangerRefusal(request, { action: 'signIn', subject: '', detail: { refused: 403, reason } })
      return uncached(reply).redirect(`/?refused=${reason}`, 303)
    }
    const database = audit.auditedDatabase(request, { name: BOOTSTRAP, role: 'admin' }, 'signIn', { by: 'start link' })
    const secret = await beginBootstrapSession(database, now())
    return uncached(reply).header('set-cookie', localSessionCookie(request.raw, secret)).redirect('/', 303)
  })
}
