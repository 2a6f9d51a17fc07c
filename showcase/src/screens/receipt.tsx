import { Icon } from '../../../web/icons.tsx'
import { type DepositState, depositWords, isDeposited } from '../../../web/words/own-deposits.ts'
import type { Payment, PaymentMethod } from '../answers.ts'
import styles from './wallet.module.css'

export type Receipt = { readonly payment: Payment; readonly amount: string; readonly card: PaymentMethod }

/** `deposit`: as the list has it now, which is later than the answer that made the receipt. */
export function ReceiptPanel({ receipt, deposit }: { receipt: Receipt; deposit: DepositState | undefined }) {
  const { payment, amount, card } = receipt
  const state = deposit ?? { status: 'authorised', isInReview: false }
  return (
    <section className={styles.receipt} role="status" aria-labelledby="receipt-title">
      <DepositTitle id="receipt-title" deposit={state} amount={amount} />
      <p>{depositWords(state).text}</p>
      <dl>
        <div>
          <dt>Payment</dt>
          <dd>
            <code>{payment.paymentId}</code>
          </dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>{payment.paymentDateTime.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })}</dd>
        </div>
        <div>
          <dt>Card</dt>
          <dd>
            {card.card.scheme} ending in {card.card.number.slice(-4)}
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** States that money was deposited only where nothing else has happened. */
export function DepositTitle({ id, deposit, amount }: { id?: string; deposit: DepositState; amount: string }) {
  if (!isDeposited(deposit))
    return <h2 id={id}>{`Deposit of £${amount}: ${depositWords(deposit).title.toLowerCase()}`}</h2>
  return (
    <h2 id={id} className={styles.deposited}>
      <Icon name="check" />£{amount} deposited
    </h2>
  )
}
