import {
  boolean,
  count,
  integer,
  named,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { CUSTOMER_STATUSES } from '../../identity/customers/status.ts'
import { amount, EXAMPLE_TIME, id, money, page, reason, text, time } from '../server/fields.ts'

// ---- A customer.

const status = oneOf(CUSTOMER_STATUSES, {
  description: 'A new customer is active. Only active customers have sessions.',
  examples: ['active'],
})
const verified = boolean({
  description: 'Whether the customer’s identity is verified. A new customer is verified.',
  examples: [true],
})
const fundsStatementVersion = integer(0, 1_000_000, {
  description: 'Which version of the statement about customers’ funds the customer has accepted.',
  examples: [1],
})
const limitOfItsOwn = { description: 'A limit of the customer’s own; null: the limit of the service.' }

const accountFields = {
  id: id('1'),
  username: orNull(string({ examples: ['alice'] }), { description: 'null: the customer cannot log in.' }),
  status,
  verified,
  currency: string({ description: 'ISO 4217', examples: ['GBP'] }),
  dailyDepositLimit: orNull(amount(), { ...limitOfItsOwn, examples: [null] }),
  fundsStatementVersion,
  statusReason: orNull(string({ examples: ['Requested in writing'] }), {
    description: 'Why the customer has its status, where an operator gave a reason.',
    examples: [null],
  }),
  statusSince: orNull(time(), {
    description: 'When the status was set last; null: with the registration.',
    examples: [null],
  }),
  createdAt: time(),
}
const erasure = { erasedAt: time({ description: 'When the personal data was erased, where it was.' }) }

/** A customer without profile and wallet, as a part of the personal data. */
export const customerAccount = named('CustomerAccount', object(accountFields, erasure))
export type CustomerAccount = ValueOf<typeof customerAccount>

/** All that the API shows of a customer's money, except the deposits. */
const walletFields = {
  balance: amount('0.00'),
  depositedToday: amount('0.00'),
  dailyDepositLimitInForce: amount('10000.00', {
    description: 'The customer’s own limit, or that of the service, whichever is lower.',
  }),
  depositableToday: amount('10000.00', { description: 'What the customer may still deposit today.' }),
}

const profileId = orNull(id('1'), { description: 'null: the customer has no profile yet.' })

export const customer = named('Customer', object({ ...accountFields, profileId, ...walletFields }, erasure))
export type Customer = ValueOf<typeof customer>

export const customerBody = named(
  'CustomerChange',
  object(
    {},
    {
      username: text(1, 100, { examples: ['dave'] }),
      password: string({
        minLength: 8,
        maxLength: 200,
        description: 'At least 8 characters, and not the user name.',
        examples: ['correct horse battery'],
      }),
      status,
      verified,
      currency: string({ pattern: '^[A-Z]{3}$', description: 'ISO 4217. A new customer has GBP.', examples: ['GBP'] }),
      dailyDepositLimit: orNull(money('250.00'), limitOfItsOwn),
      fundsStatementVersion,
    },
  ),
)
export type CustomerBody = ValueOf<typeof customerBody>

export const statusBody = object({ status, reason })

export const reinstatementBody = object({ reason })

// ---- Its sessions.

const MAX_TICKET_SECONDS = 60 * 86_400

export const ticketBody = object(
  {},
  {
    ttlSeconds: integer(1, MAX_TICKET_SECONDS, {
      description: 'How long the ticket is valid, however much it is used. Without it: as after a log-in.',
      examples: [3600],
    }),
  },
)

export const ticket = named(
  'Ticket',
  object({
    ticket: string({ description: 'Sent as `who-ticket` to the public API.', examples: ['TGT-21-3v6Yw0Rk1bq9'] }),
    expiresAt: time(),
  }),
)

const sessionId = string({
  description: 'Tells the sessions of a customer apart. It is no ticket.',
  examples: ['9f86d081884c7d65'],
})

const session = named(
  'Session',
  object({
    id: sessionId,
    createdAt: time(),
    lastUsedAt: time(),
    endsAt: time({ description: 'When it ends if it is not used again.', examples: [EXAMPLE_TIME] }),
  }),
)
export type CustomerSession = ValueOf<typeof session>
export const sessions = page(session)

export const endedSessions = object({ ended: count({ description: 'How many sessions were ended.', examples: [1] }) })
