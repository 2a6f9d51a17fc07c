import { Fault } from '../../faults.ts'
import { clientAddress, clientNetwork } from '../../http/connection/proxies.ts'
import { type Operation, operationWith } from '../../http/operations/operation.ts'
import type { Parameter } from '../../http/requests/parameters.ts'
import type { BuiltinSessions } from './builtin.ts'
import type { SessionsContext } from './context.ts'
import type { IssuedTicket, LogIn } from './password-log-in.ts'
import { endedSession, openedSession } from './shapes.ts'

function credential(meaning: string): Parameter<string> {
  return {
    from: 'query or form',
    meaning,
    secret: true,
    required: true,
    absent: '',
    parse: (raw) => raw,
    missingFault: 'credentialsMissing',
    schema: { type: 'string' },
  }
}

const ticket: Parameter<string> = {
  from: 'path',
  meaning: 'the ticket',
  secret: true,
  required: true,
  absent: '',
  parse: (raw) => raw,
  schema: { type: 'string' },
}

/** Served only with the built-in sessions (TICKETS=builtin). */
const operation = operationWith<SessionsContext>()

export const sessionOperations: Operation<SessionsContext>[] = [
  operation({
    name: 'createTicket',
    summary: 'Log in: a session ticket for a customer',
    route: 'POST /v1/sessions/tickets',
    ticket: 'none',
    parameters: {
      username: credential('the customer’s user name'),
      password: credential('the customer’s password'),
      extended: {
        from: 'query or form',
        meaning: 'Y: 60 days, without idle expiry',
        absent: false,
        parse: (raw) => (raw === 'Y' ? true : raw === 'N' ? false : undefined),
        schema: { type: 'string', enum: ['Y', 'N', ''], default: 'N' },
      } satisfies Parameter<boolean>,
    },
    answer: { status: 201, document: openedSession },
    faults: { credentialsWrong: '' },
    async handle(context, { caller: { apiKey }, parameters, response }) {
      const { extended } = parameters
      const { trustedProxies } = context.config
      const caller = { address: clientAddress(response.req, trustedProxies), application: apiKey }
      const given = { ...parameters, apiKey, network: clientNetwork(response.req, trustedProxies) }
      const { ticket, expiresAt } = await logIn(context, given, caller)
      const location = `/v1/sessions/tickets/${ticket}`
      return extended ? { ticket, location, expiryDateTimeZoned: expiresAt, extended } : { ticket, location }
    },
  }),
  operation({
    name: 'checkTicket',
    summary: 'Whether a ticket is alive: 204, or 404',
    route: 'HEAD /v1/sessions/tickets/{ticket}',
    mayBeStale: false,
    ticket: 'none',
    parameters: { ticket },
    faults: { noSession: 'ticket' },
    async handle(context, { parameters }) {
      if (!(await sessionsOf(context).isAlive(parameters.ticket))) throw new Fault('noSession', 'ticket')
      return null
    },
  }),
  operation({
    name: 'endTicket',
    summary: 'Log out; the same answer when the session is already over',
    route: 'DELETE /v1/sessions/tickets/{ticket}',
    ticket: 'none',
    parameters: { ticket },
    answer: { status: 200, document: endedSession },
    async handle(context, { parameters }) {
      await sessionsOf(context).end(parameters.ticket)
      context.tickets.forget(parameters.ticket)
      return { ticket: parameters.ticket }
    },
  }),
]

/** The log has the application, the address and the customer id, never what was typed. */
async function logIn(context: SessionsContext, given: LogIn, caller: object): Promise<IssuedTicket> {
  const { log } = context
  const { customerId, issued } = await sessionsOf(context)
    .logIn(given)
    .catch((error) => {
      if (error instanceof Fault)
        log.warn({ ...caller, retryAfter: error.retryAfter }, 'log-in refused: too many attempts')
      throw error
    })
  if (issued === null) {
    log.warn({ ...caller, customerId }, 'log-in refused')
    throw new Fault('credentialsWrong', '')
  }
  log.info({ ...caller, customerId }, 'log-in')
  return issued
}

function sessionsOf(context: SessionsContext): BuiltinSessions {
  if (context.sessions === null) throw new Error('the session operations are mounted without built-in sessions')
  return context.sessions
}
