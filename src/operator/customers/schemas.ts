import { CUSTOMER_STATUSES } from '../../identity/customers/status.ts'
import { EXCLUSION_KINDS } from '../../identity/exclusions/exclusion.ts'
import { PERIODS } from '../../wallets/periods.ts'
import * as s from '../server/fields.ts'
import { reason } from '../server/fields.ts'

// ---- A customer.

const status = s.oneOf(CUSTOMER_STATUSES, {
  description: 'A new customer is active. Only active customers have sessions.',
  examples: ['active'],
})
const verified = s.boolean({
  description: 'Whether the customer’s identity is verified. A new customer is verified.',
  examples: [true],
})
const fundsStatementVersion = s.integer(0, 1_000_000, {
  description: 'Which version of the statement about customers’ funds the customer has accepted.',
  examples: [1],
})
const nameOnRecord = {
  description:
    'On record, as on documents. Cards whose holder has another name are paid by two persons. null: not known.',
}
const limitOfItsOwn = { description: 'A limit of the customer’s own; null: the limit of the service.' }

const accountFields = {
  id: s.id('1'),
  username: s.orNull(s.string({ examples: ['alice'] }), { description: 'null: the customer cannot log in.' }),
  firstName: s.orNull(s.string({ examples: ['Alice'] }), nameOnRecord),
  lastName: s.orNull(s.string({ examples: ['Archer'] }), nameOnRecord),
  status,
  verified,
  currency: s.string({ description: 'ISO 4217', examples: ['GBP'] }),
  dailyDepositLimit: s.orNull(s.amount(), { ...limitOfItsOwn, examples: [null] }),
  fundsStatementVersion,
  statusReason: s.orNull(s.string({ examples: ['Requested in writing'] }), {
    description: 'Why the customer has its status, where an operator gave a reason.',
    examples: [null],
  }),
  statusSince: s.orNull(s.time(), {
    description: 'When the status was set last; null: with the registration.',
    examples: [null],
  }),
  exclusion: s.orNull(
    s.object({
      kind: s.oneOf(EXCLUSION_KINDS, { examples: ['time-out'] }),
      until: s.time({ description: 'Nobody can shorten it.' }),
      returnsAt: s.orNull(s.time(), {
        description: 'When a self-exclusion is over, where the customer has requested to return.',
        examples: [null],
      }),
    }),
    { description: 'What the customer has locked themselves out with, while it is in force.', examples: [null] },
  ),
  createdAt: s.time(),
}
const erasure = { erasedAt: s.time({ description: 'When the personal data was erased, where it was.' }) }

/** A customer without profile and wallet, as a part of the personal data. */
export const customerAccount = s.namedObject('CustomerAccount', accountFields, erasure)
export type CustomerAccount = s.ValueOf<typeof customerAccount>

export const ownLimits = s.list(
  s.object({
    period: s.oneOf(PERIODS, { examples: ['week'] }),
    amount: s.amount('50.00'),
    used: s.amount('20.00'),
    left: s.amount('30.00'),
    resets: s.time(),
    pending: s.orNull(
      s.object({
        amount: s.orNull(s.amount('100.00'), { description: 'null: no limit.' }),
        notBefore: s.time(),
        lapses: s.time(),
      }),
      { description: 'A higher limit, or none, that the customer can confirm.', examples: [null] },
    ),
  }),
  { description: 'The limits that the customer has set. Only the customer changes them.', examples: [[]] },
)

/** All that the API shows of a customer's money, except the deposits. */
const walletFields = {
  balance: s.amount('0.00'),
  debt: s.amount('0.00', { description: 'What the customer owes.' }),
  depositedToday: s.amount('0.00'),
  dailyDepositLimitInForce: s.amount('10000.00', {
    description: 'The customer’s own limit, or that of the service, whichever is lower.',
  }),
  depositableToday: s.amount('10000.00', { description: 'What the customer may still deposit today.' }),
  limits: ownLimits,
}

const profileId = s.orNull(s.id('1'), { description: 'null: the customer has no profile yet.' })

export const customer = s.namedObject('Customer', { ...accountFields, profileId, ...walletFields }, erasure)
export type Customer = s.ValueOf<typeof customer>

export const customerBody = s.named(
  'CustomerChange',
  s.allOptional({
    username: s.text(1, 100, { examples: ['dave'] }),
    password: s.string({
      minLength: 8,
      maxLength: 200,
      description: 'At least 8 characters, and not the user name.',
      examples: ['correct horse battery'],
    }),
    firstName: s.orNull(s.text(1, 100, { examples: ['David'] }), nameOnRecord),
    lastName: s.orNull(s.text(1, 100, { examples: ['Dunn'] }), nameOnRecord),
    status,
    verified,
    currency: s.string({
      pattern: '^[A-Z]{3}$',
      description: 'ISO 4217. A new customer has GBP. The first deposit, limit or movement fixes it.',
      examples: ['GBP'],
    }),
    dailyDepositLimit: s.orNull(s.money('250.00'), limitOfItsOwn),
    fundsStatementVersion,
  }),
)
export type CustomerBody = s.ValueOf<typeof customerBody>

export const statusBody = s.object({ status, reason })

export const reinstatementBody = s.object({ reason })

export const returnBody = s.object({ reason })

// ---- Its sessions.

const MAX_TICKET_SECONDS = 60 * 86_400

export const ticketBody = s.allOptional({
  ttlSeconds: s.integer(1, MAX_TICKET_SECONDS, {
    description: 'How long the ticket is valid, however much it is used. Without it: as after a log-in.',
    examples: [3600],
  }),
})

export const ticket = s.namedObject('Ticket', {
  ticket: s.string({ description: 'Sent as `who-ticket` to the public API.', examples: ['TGT-21-3v6Yw0Rk1bq9'] }),
  expiresAt: s.time(),
})

const sessionId = s.string({
  description: 'Distinguishes the sessions of a customer. It is no ticket.',
  examples: ['9f86d081884c7d65'],
})

const session = s.namedObject('Session', {
  id: sessionId,
  createdAt: s.time(),
  lastUsedAt: s.time(),
  endsAt: s.time({ description: 'When it ends if it is not used again.', examples: [s.EXAMPLE_TIME] }),
})
export type CustomerSession = s.ValueOf<typeof session>
export const sessions = s.page(session)

export const endedSessions = s.object({
  ended: s.count({ description: 'How many sessions were ended.', examples: [1] }),
})
