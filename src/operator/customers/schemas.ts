import { CUSTOMER_STATUSES } from '../../identity/customers/status.ts'
import { EXCLUSION_KINDS } from '../../identity/exclusions/exclusion.ts'
import { PERIODS } from '../../wallets/periods.ts'
import * as s from '../server/fields.ts'
import { reason } from '../server/fields.ts'

// ---- A customer.

const status = s.oneOf(CUSTOMER_STATUSES, 'active', 'A new customer is active. Only active customers have sessions.')
const verified = s.boolean(true, 'Whether the customer’s identity is verified. A new customer is verified.')
const fundsStatementVersion = s.integer(
  0,
  1_000_000,
  1,
  'Which version of the statement about customers’ funds the customer has accepted.',
)
const NAME_ON_RECORD =
  'On record, as on documents. Cards whose holder has another name are paid by two persons. null: not known.'
const OWN_LIMIT = 'A limit of the customer’s own; null: the limit of the service.'

const accountFields = {
  id: s.id('1'),
  username: s.orNull(s.string('alice'), 'null: the customer cannot log in.'),
  firstName: s.orNull(s.string('Alice'), NAME_ON_RECORD),
  lastName: s.orNull(s.string('Archer'), NAME_ON_RECORD),
  status,
  verified,
  currency: s.string('GBP', 'ISO 4217'),
  dailyDepositLimit: s.orNull(s.amount(), OWN_LIMIT, null),
  fundsStatementVersion,
  statusReason: s.orNull(
    s.string('Requested in writing'),
    'Why the customer has its status, where an operator gave a reason.',
    null,
  ),
  statusSince: s.orNull(s.time(), 'When the status was set last; null: with the registration.', null),
  exclusion: s.orNull(
    s.object({
      kind: s.oneOf(EXCLUSION_KINDS, 'time-out'),
      until: s.time('Nobody can shorten it.'),
      returnsAt: s.orNull(s.time(), 'When a self-exclusion is over, where the customer has requested to return.', null),
    }),
    'What the customer has locked themselves out with, while it is in force.',
    null,
  ),
  createdAt: s.time(),
}
const erasure = { erasedAt: s.time('When the personal data was erased, where it was.') }

/** A customer without profile and wallet, as a part of the personal data. */
export const customerAccount = s.namedObject('CustomerAccount', accountFields, erasure)
export type CustomerAccount = s.ValueOf<typeof customerAccount>

export const ownLimits = s.list(
  s.object({
    period: s.oneOf(PERIODS, 'week'),
    amount: s.amount('50.00'),
    used: s.amount('20.00'),
    left: s.amount('30.00'),
    resets: s.time(),
    pending: s.orNull(
      s.object({
        amount: s.orNull(s.amount('100.00'), 'null: no limit.'),
        notBefore: s.time(),
        lapses: s.time(),
      }),
      'A higher limit, or none, that the customer can confirm.',
      null,
    ),
  }),
  'The limits that the customer has set. Only the customer changes them.',
  [],
)

/** All that the API shows of a customer's money, except the deposits. */
const walletFields = {
  balance: s.amount('0.00'),
  debt: s.amount('0.00', 'What the customer owes.'),
  depositedToday: s.amount('0.00'),
  dailyDepositLimitInForce: s.amount(
    '10000.00',
    'The customer’s own limit, or that of the service, whichever is lower.',
  ),
  depositableToday: s.amount('10000.00', 'What the customer may still deposit today.'),
  limits: ownLimits,
}

const profileId = s.orNull(s.id('1'), 'null: the customer has no profile yet.')

export const customer = s.namedObject('Customer', { ...accountFields, profileId, ...walletFields }, erasure)
export type Customer = s.ValueOf<typeof customer>

export const customerBody = s.named(
  'CustomerChange',
  s.allOptional({
    username: s.text(1, 100, 'dave'),
    password: s.stringOf(
      { minLength: 8, maxLength: 200 },
      'correct horse battery',
      'At least 8 characters, and not the user name.',
    ),
    firstName: s.orNull(s.text(1, 100, 'David'), NAME_ON_RECORD),
    lastName: s.orNull(s.text(1, 100, 'Dunn'), NAME_ON_RECORD),
    status,
    verified,
    currency: s.stringOf(
      { pattern: '^[A-Z]{3}$' },
      'GBP',
      'ISO 4217. A new customer has GBP. The first deposit, limit or movement fixes it.',
    ),
    dailyDepositLimit: s.orNull(s.money('250.00'), OWN_LIMIT),
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
  ttlSeconds: s.integer(
    1,
    MAX_TICKET_SECONDS,
    3600,
    'How long the ticket is valid, however much it is used. Without it: as after a log-in.',
  ),
})

export const ticket = s.namedObject('Ticket', {
  ticket: s.string('TGT-21-3v6Yw0Rk1bq9', 'Sent as `who-ticket` to the public API.'),
  expiresAt: s.time(),
})

const sessionId = s.string('9f86d081884c7d65', 'Distinguishes the sessions of a customer. It is no ticket.')

const session = s.namedObject('Session', {
  id: sessionId,
  createdAt: s.time(),
  lastUsedAt: s.time(),
  endsAt: s.time('When it ends if it is not used again.'),
})
export type CustomerSession = s.ValueOf<typeof session>
export const sessions = s.page(session)

export const endedSessions = s.object({
  ended: s.count(1, 'How many sessions were ended.'),
})
