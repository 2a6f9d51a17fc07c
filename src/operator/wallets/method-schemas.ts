import {
  anyOf,
  boolean,
  count,
  list,
  named,
  nullValue,
  object,
  oneOf,
  orNull,
  type SentOf,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { FUNDINGS } from '../../wallets/cards/store.ts'
import { DEPOSIT_STATES } from '../../wallets/deposits/store.ts'
import { amount, id, money, note, text, time } from '../server/fields.ts'
import { proposal, waitsFor } from './persons.ts'

// ---- Payment methods.

const monthYear = string({ pattern: '^(0[1-9]|1[0-2])/[0-9]{2}$', description: 'MM/YY', examples: ['12/49'] })

/** A full card number does not match and is refused unread. */
const maskedNumber = string({
  pattern: '^[0-9]{6}[*xX•]{2,9}[0-9]{4}$',
  description: 'The first 6 and the last 4 digits around a mask. A full card number is refused.',
  examples: ['411111******1111'],
})

/** As the bank of the card has it. */
const holderName = text(1, 80, {
  description: 'Of the card’s holder. Without both names the card takes no payouts, only what it paid in.',
  examples: ['Ann'],
})

export const methodBody = named(
  'PaymentMethod',
  object({
    type: text(1, 20, { examples: ['CARD'] }),
    token: text(1, 200, { description: 'The gateway’s token for the card.', examples: ['sandbox:approve'] }),
    limits: object({ minDeposit: money('5.00'), maxDeposit: money('1000.00') }),
    card: object(
      {
        number: maskedNumber,
        expiryDate: monthYear,
        country: string({ pattern: '^[A-Z]{2}$', description: 'ISO 3166', examples: ['GB'] }),
        scheme: text(1, 40, { examples: ['VISA'] }),
      },
      {
        issueDate: monthYear,
        funding: withDefault(oneOf(FUNDINGS, { examples: ['debit'] }), 'unknown'),
        firstName: holderName,
        lastName: holderName,
      },
    ),
  }),
)
export type MethodBody = ValueOf<typeof methodBody>

export const storedMethod = named('StoredPaymentMethod', object({ id: id('103'), customerId: id('1'), proposal }))

// ---- Deposits.

export const depositState = oneOf(DEPOSIT_STATES, { examples: ['CAPTURED'] })

export const depositFields = {
  paymentId: string({ examples: ['0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'] }),
  customerId: id('1'),
  idempotencyKey: orNull(string(), { description: 'What the caller sent to make a retry safe.', examples: [null] }),
  paymentMethodId: id('101'),
  amount: amount('25.00'),
  currency: string({ description: 'ISO 4217', examples: ['GBP'] }),
  captured: amount('25.00', { description: 'What the gateway took; it may take a part.' }),
  state: depositState,
  fault: orNull(string(), { description: 'The public API’s code of the refusal.', examples: [null] }),
  review: orNull(string(), { description: 'Why it needs manual review.', examples: [null] }),
  gateway: string({ examples: ['sandbox'] }),
  gatewayReference: orNull(string({ examples: ['sandbox-1'] })),
  createdAt: time(),
  decidedAt: orNull(time()),
}

export const deposit = named('Deposit', object(depositFields))
export type Deposit = ValueOf<typeof deposit>

/** Why a deposit failed, in words (wallets/deposits/why.ts). */
export const depositWhy = named(
  'DepositWhy',
  object(
    {
      title: string({ examples: ['Not enough money'] }),
      meaning: string({
        description: 'What the bank meant, or what happened here.',
        examples: ['The bank says that there is less on the card than the amount.'],
      }),
      customerMessage: string({
        description: 'What the customer saw, in the words of the showcase; an application may have its own.',
        examples: ['There is not enough money on the card. Deposit less, or use another card.'],
      }),
      nextStep: string({ description: 'What to do next.', examples: ['Nothing: the card works.'] }),
    },
    {},
    { description: 'Why a deposit failed or needs manual review, in words.' },
  ),
)

const why = orNull(depositWhy, { description: 'Why it failed or needs manual review. null: it has not failed.' })

const explainedFields = { ...depositFields, why }

/** What tells cards apart. */
export const cardFields = {
  lastFour: string({ description: 'The last four digits of the card, as it is registered now.', examples: ['1111'] }),
  scheme: string({ description: 'The brand of the card.', examples: ['VISA'] }),
  expiryDate: string({ description: 'MM/YY', examples: ['12/49'] }),
}

export const listedFields = { ...explainedFields, ...cardFields }

const depositEvent = object({
  at: time(),
  event: string({ examples: ['captured'] }),
  detail: string({ examples: [''] }),
})

export const resolvedDeposit = named('ResolvedDeposit', object({ ...explainedFields, waitsFor, proposal }))

export const depositWithEvents = named(
  'DepositWithEvents',
  object({
    ...listedFields,
    waitsFor,
    proposal,
    events: list(depositEvent, { description: 'What happened to it, oldest first.' }),
  }),
)
export type DepositWithEvents = ValueOf<typeof depositWithEvents>

export const resolutionBody = object(
  {
    outcome: oneOf(['captured', 'voided'], {
      description: 'Whether the gateway took the money or not.',
      examples: ['captured'],
    }),
  },
  { note },
)
export type Resolution = SentOf<typeof resolutionBody>

// ---- The ledger.

export const ledgerCheck = named(
  'LedgerCheck',
  object({
    balanced: boolean({ examples: [true] }),
    deposits: count({ description: 'How many deposits were checked.', examples: [128] }),
    accounts: list(
      object({
        kind: string({ examples: ['customer'] }),
        currency: string({ examples: ['GBP'] }),
        total: string({ examples: ['3200.00'] }),
      }),
      { description: 'The total of each kind of account in each currency.' },
    ),
    problems: list(string(), { description: 'What does not add up; the first 1000.', examples: [[]] }),
    checkedAt: time(),
  }),
)
export type LedgerCheck = ValueOf<typeof ledgerCheck>

export const lastLedgerCheck = anyOf([ledgerCheck, object({ checkedAt: nullValue })])
