import type { PaymentMethod, Withdrawal } from '../answers.ts'
import { Empty } from '../parts/states.tsx'
import { cardText, fromNow } from '../words.ts'
import styles from './wallet.module.css'

type Words = { readonly title: string; readonly text: string; readonly step: number }

/** `step`: of the way to the card. */
const STATES: Readonly<Record<string, Words>> = {
  requested: { title: 'Requested', text: 'We look at it before it is sent.', step: 1 },
  approved: { title: 'Approved', text: 'It is sent next.', step: 2 },
  sending: { title: 'Sent', text: 'It is on its way to your card.', step: 3 },
  paid: { title: 'Paid', text: 'It is on your card.', step: 4 },
  returned: { title: 'Came back', text: 'Your bank did not take it: it is in your account again.', step: 0 },
  refused: { title: 'Refused', text: 'It is in your account again.', step: 0 },
  review: { title: 'Being checked', text: 'We ask the bank what has become of it.', step: 3 },
}
const STEPS = 4

type Props = { withdrawals: readonly Withdrawal[]; cards: readonly PaymentMethod[] }

export function WithdrawalList({ withdrawals, cards }: Props) {
  return (
    <section aria-labelledby="withdrawals-title">
      <h2 id="withdrawals-title">Your withdrawals</h2>
      {withdrawals.length === 0 ? (
        <Empty title="You have made no withdrawals" />
      ) : (
        <ul className="list rows" aria-label="Your withdrawals">
          {withdrawals.map((one) => (
            <li key={one.id}>
              <WithdrawalRow withdrawal={one} card={cardText(cards, one.methodId)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function WithdrawalRow({ withdrawal, card }: { withdrawal: Withdrawal; card: string }) {
  const { amount, status, holdReason, createdDateTimeZoned } = withdrawal
  const { title, text, step } = STATES[status] ?? { title: status, text: '', step: 0 }
  return (
    <div className={styles.deposit}>
      <strong>£{amount}</strong>
      <span className="row-text">
        <strong>{title}</strong>
        <span className="quiet">
          {text}
          {holdReason !== undefined && ` Reason: ${holdReason}`}
        </span>
        {step > 0 && <progress max={STEPS} value={step} aria-label={`Step ${step} of ${STEPS}`} />}
        <span className="quiet">
          {card} · {fromNow(createdDateTimeZoned)}
        </span>
      </span>
    </div>
  )
}
