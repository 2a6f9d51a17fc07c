// What a decision about a withdrawal rests on: the customer's money and standing, their cards with what each paid in and got back, earlier
// withdrawals and open disputes.

import type { Card, Customer, Withdrawal } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { CUSTOMER_STATUSES, EXCLUSIONS } from '../../../web/words/customers.ts'
import { WITHDRAWAL_STATES } from '../../../web/words/money.ts'
import { useResource } from '../api/resource.ts'
import { customerLink } from '../customers/props.ts'
import { STATUS_LOOKS } from '../customers/status-looks.ts'
import { Age } from '../parts/age.tsx'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { CardName } from './card-name.tsx'
import { Fact } from './fact.tsx'
import { WITHDRAWAL_LOOKS } from './looks.ts'
import styles from './withdrawal-basis.module.css'

type BasisProps = { withdrawal: Pick<Withdrawal, 'id' | 'customerId' | 'paymentMethodId'> }

/** Each part is there for the roles that may read it. */
export function WithdrawalBasis({ withdrawal }: BasisProps) {
  const may = usePermission()
  const { customerId } = withdrawal
  const customer = useResource(may('getCustomer') ? 'getCustomer' : null, { id: customerId })
  return (
    <section className={styles.basis} aria-label="What the decision rests on">
      <ResourceView resource={customer}>{(answer) => <Standing customer={answer} />}</ResourceView>
      {may('listPaymentMethods') && <Cards withdrawal={withdrawal} currency={customer.answer?.currency ?? ''} />}
      {may('listWithdrawals') && <Earlier withdrawal={withdrawal} />}
      {may('listDisputes') && <OpenDisputes customerId={customerId} />}
    </section>
  )
}

function Standing({ customer }: { customer: Customer }) {
  const { id, balance, debt, currency, verified, status, createdAt, exclusion } = customer
  const may = usePermission()
  return (
    <dl className="facts">
      <Fact name="Balance now">
        {balance} {currency}
        {Number(debt) > 0 && <Badge look="bad">{`owes ${debt}`}</Badge>}
      </Fact>
      {may('readCustomerStatement') && (
        <Fact name="Net deposits, less this">
          <NetDeposits id={id} />
        </Fact>
      )}
      <Fact name="Identity">
        <Badge look={verified ? 'good' : 'warn'}>{verified ? 'verified' : 'not verified'}</Badge>
      </Fact>
      <Fact name="Account">
        <Badge look={STATUS_LOOKS[status]}>{CUSTOMER_STATUSES[status]}</Badge>
        {exclusion !== null && <Badge look="bad">{EXCLUSIONS[exclusion.kind]}</Badge>}
      </Fact>
      <Fact name="Customer for">
        <Age since={createdAt} />
      </Fact>
    </dl>
  )
}

/** Deposits less what went back. Negative: they have taken out more than they paid in. */
function NetDeposits({ id }: { id: string }) {
  const { answer } = useResource('readCustomerStatement', { id, query: { limit: 1 } })
  return (
    <a href={customerLink(id, { tab: 'statement' })}>
      {answer === undefined ? 'Statement' : `${answer.netDeposits} ${answer.currency}`}
    </a>
  )
}

function Cards({ withdrawal: { customerId, paymentMethodId }, currency }: BasisProps & { currency: string }) {
  const cards = useResource('listPaymentMethods', { id: customerId })
  const isAsked = ({ id }: Card) => id === paymentMethodId
  return (
    <ResourceView resource={cards}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="quiet">The customer has no card.</p>
        ) : (
          <DataTable
            label="Cards of the customer"
            columns={['Card', 'Registered', 'Paid in', 'Got back', 'Holder']}
            rows={items
              .toSorted((one, other) => Number(isAsked(other)) - Number(isAsked(one)))
              .map((card) => ({
                key: card.id,
                cells: [
                  <span key="card">
                    <CardName card={{ ...card, lastFour: card.number.slice(-4) }} />{' '}
                    {isAsked(card) && <Badge>requested</Badge>}
                  </span>,
                  <span key="age">
                    <Age since={card.registeredAt} /> ago
                  </span>,
                  `${card.paidIn} ${currency}`,
                  `${card.paidOut} ${currency}`,
                  card.firstName === null || card.lastName === null ? 'no name' : `${card.firstName} ${card.lastName}`,
                ],
              }))}
          />
        )
      }
    </ResourceView>
  )
}

const SHOWN = 5

function Earlier({ withdrawal: { id, customerId } }: BasisProps) {
  const withdrawals = useResource('listWithdrawals', { query: { customerId, limit: SHOWN + 1 } })
  return (
    <ResourceView resource={withdrawals}>
      {({ items }) => {
        const earlier = items.filter((one) => Number(one.id) < Number(id)).slice(0, SHOWN)
        if (earlier.length === 0) return <p className="quiet">It is their first withdrawal.</p>
        return (
          <div>
            <h3>Earlier withdrawals</h3>
            <ul className="plain-list" aria-label="Earlier withdrawals">
              {earlier.map(({ id: other, amount, currency, state, createdAt }) => (
                <li key={other}>
                  <a href={linkTo('withdrawals', other)}>
                    {amount} {currency}
                  </a>{' '}
                  <Badge look={WITHDRAWAL_LOOKS[state]}>{WITHDRAWAL_STATES[state]}</Badge>{' '}
                  <span className="quiet">
                    <DateTime at={createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )
      }}
    </ResourceView>
  )
}

function OpenDisputes({ customerId }: { customerId: string }) {
  const disputes = useResource('listDisputes', { query: { customerId, limit: 50 } })
  return (
    <ResourceView resource={disputes}>
      {({ items }) => {
        const open = items.filter(({ endedAt }) => endedAt === null)
        if (open.length === 0) return <p className="quiet">No open disputes.</p>
        return (
          <p className="warning">
            <strong>
              {open.length} open {open.length === 1 ? 'dispute' : 'disputes'}:
            </strong>{' '}
            {open.map(({ id, amount, currency, paymentId }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <a href={linkTo('deposits', paymentId)}>
                  {amount} {currency}
                </a>
              </span>
            ))}
          </p>
        )
      }}
    </ResourceView>
  )
}
