// The customer's money in the export of their personal data.

import type { CustomerRow } from '../../identity/customers/store.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { allRows } from '../../platform/database/all-rows.ts'
import type { Database, Statement } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { balancesOf } from '../../wallets/account/ledger.ts'
import { walletSummary } from '../../wallets/books/summary.ts'
import { toMethod } from '../../wallets/cards/cards.ts'
import { allMethodsOfCustomer, type MethodRow } from '../../wallets/cards/store.ts'
import { depositsOfCustomerBefore } from '../../wallets/deposits/list-store.ts'
import { disputesOfCustomerBefore } from '../../wallets/disputes/store.ts'
import { proposalsAbout } from '../../wallets/proposals.ts'
import { readClaims } from '../../wallets/refunds/claims.ts'
import { refundsOfCustomerBefore } from '../../wallets/refunds/store.ts'
import { withdrawalsOfCustomerBefore } from '../../wallets/withdrawals/store.ts'
import type { OperatorContext } from '../context.ts'
import { ownLimits } from '../customers/schemas.ts'
import * as s from '../server/fields.ts'
import { shown } from '../server/shown.ts'
import { deposit } from '../wallets/deposit-schemas.ts'
import { depositOf } from '../wallets/deposit-view.ts'
import { dispute, showDisputes } from '../wallets/dispute-view.ts'
import { refund, showRefunds } from '../wallets/refund-view.ts'
import { withdrawal } from '../wallets/withdrawal-schemas.ts'
import { showWithdrawals } from '../wallets/withdrawal-view.ts'

const paymentMethod = s.object({
  id: s.integer(0, Number.MAX_SAFE_INTEGER, 101),
  type: s.string('CARD'),
  limits: s.object({ minDeposit: s.amount('5.00'), maxDeposit: s.amount('1000.00') }),
  card: s.object(
    {
      number: s.string('411111******1111', 'The first 6 and the last 4 digits.'),
      expiryDate: s.string('12/49'),
      country: s.string('GB'),
      scheme: s.string('VISA'),
    },
    { issueDate: s.string('01/24') },
  ),
  firstName: s.orNull(s.string('Alice'), 'The holder’s name.'),
  lastName: s.orNull(s.string('Archer'), 'The holder’s name.'),
  closedAt: s.orNull(s.time(), 'When an operator closed it; null: open.', null),
  removedAt: s.orNull(s.time(), 'null: it is registered.', null),
  accountClosedAt: s.orNull(s.time(), 'When the account behind it was found closed; null: it is open.', null),
})

const claim = s.object({
  paymentId: s.string('0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'),
  paymentMethodId: s.id('101'),
  left: s.amount('20.00'),
  currency: s.string('GBP'),
})

const proposal = s.object({
  subject: s.string('refund 5', 'A kind and an id.'),
  outcome: s.string('paid'),
  note: s.string('The gateway shows the payment'),
  by: s.string('openid:ann'),
  at: s.time(),
})

export const wallet = s.object({
  balance: s.amount('0.00'),
  debt: s.amount('0.00', 'What the customer owes.'),
  limits: ownLimits,
  paymentMethods: s.list(paymentMethod, 'Removed ones too.'),
  deposits: s.list(deposit),
  claims: s.list(claim, 'Deposits of which something still goes back to their card first.'),
  refunds: s.list(refund),
  disputes: s.list(dispute),
  withdrawals: s.list(withdrawal, 'With their parts.'),
  proposals: s.list(proposal, 'Decisions about the customer that wait for a second person.'),
})

const paymentMethodOf = shown(paymentMethod)
const proposalOf = shown(proposal)

type NewestFirst<Row> = Statement<{ customerId: number; before: number; limit: number }, Row>

type Reading<Row, Item> = {
  readonly customerId: number
  readonly list: NewestFirst<Row>
  readonly keyOf: (row: Row) => number
  readonly toItem: (row: Row) => Item
}

async function everything<Row, Item>(
  database: Database,
  { customerId, list, keyOf, toItem }: Reading<Row, Item>,
): Promise<Item[]> {
  const read = (before: number, limit: number) => database.query(list, { customerId, before, limit })
  const items: Item[] = []
  for await (const row of allRows(Number.MAX_SAFE_INTEGER, keyOf, read)) items.push(toItem(row))
  return items
}

export async function readWallet(
  context: OperatorContext,
  customer: CustomerRow,
  operator: Operator,
): Promise<s.ValueOf<typeof wallet>> {
  const { database } = context
  const { id: customerId, currency } = customer
  const { balance, limits } = await walletSummary(context, customer)
  const all = <Row extends { id: number }>(list: NewestFirst<Row>) =>
    everything(database, { customerId, list, keyOf: ({ id }) => id, toItem: (row) => row })
  const list = depositsOfCustomerBefore
  const deposits = await everything(database, { customerId, list, keyOf: ({ number }) => number, toItem: depositOf })
  const claims = await readClaims(database, customerId, currency)
  return {
    balance,
    debt: formatMoney((await balancesOf(database, customerId, currency)).debt),
    limits,
    paymentMethods: (await database.query(allMethodsOfCustomer, { customerId })).map(showPaymentMethod),
    deposits,
    claims: claims.map(({ depositId, methodId, left }) => ({
      ...{ paymentId: depositId, paymentMethodId: `${methodId}`, left: formatMoney(left), currency },
    })),
    refunds: await showRefunds(database, await all(refundsOfCustomerBefore), operator),
    disputes: await showDisputes(database, await all(disputesOfCustomerBefore), operator),
    withdrawals: await showWithdrawals(database, await all(withdrawalsOfCustomerBefore), operator),
    proposals: (await proposalsAbout(database, customerId)).map((one) =>
      proposalOf(one, { outcome: one.terms, by: one.by.name }),
    ),
  }
}

function showPaymentMethod(row: MethodRow) {
  const { limits, card } = toMethod(row)
  const { issueDate, ...rest } = card
  return paymentMethodOf(row, { limits, card: issueDate === undefined ? rest : { ...rest, issueDate } })
}
