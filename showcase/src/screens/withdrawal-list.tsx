import type { PaymentMethod, Withdrawal } from '../answers.ts'
import { Empty } from '../parts/states.tsx'
import { When } from '../parts/when.tsx'
import { cardText } from '../words.ts'
import styles from './wallet.module.css'

type Words = { readonly title: string; readonly text: string; readonly done: readonly string[] }

/** The way to the card. */
const STEPS = ['Requested', 'Approved', 'Sent', 'Paid'] as const
const [REQUESTED, APPROVED, SENT] = STEPS

/** `done`: the steps that it has taken, the last one is where it is. */
const STATES: Readonly<Record<string, Words>> = {
  requested: { title: 'Requested', text: 'We look at it before it is sent.', done: STEPS.slice(0, 1) },
  approved: { title: 'Approved', text: 'It is sent next.', done: STEPS.slice(0, 2) },
  sending: { title: 'Sent', text: 'It is on its way to your card.', done: STEPS.slice(0, 3) },
  paid: { title: 'Paid', text: 'It is on your card.', done: STEPS },
  returned: {
    title: 'Came back',
    text: 'Your bank did not take it: it is in your account again.',
    done: [REQUESTED, APPROVED, SENT, 'Came back'],
  },
  refused: { title: 'Refused', text: 'It is in your account again.', done: [REQUESTED, 'Refused'] },
  review: {
    title: 'Being checked',
    text: 'We ask the bank what has become of it.',
    done: [REQUESTED, APPROVED, SENT, 'Being checked'],
  },
}

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
  const { title, text, done } = STATES[status] ?? { title: status, text: '', done: [] }
  // Who waits reads why, in the words of whoever holds it.
  const words = status === 'requested' && holdReason !== undefined ? 'It waits, and is not sent yet.' : text
  return (
    <div className={styles.deposit}>
      <strong>£{amount}</strong>
      <span className="row-text">
        <strong>{title}</strong>
        <span className="quiet">
          {words}
          {holdReason !== undefined && ` Reason: ${holdReason}`}
        </span>
        <Progress done={done} />
        <span className="quiet">
          {card} · <When time={createdDateTimeZoned} />
        </span>
      </span>
    </div>
  )
}

/** What ended in another way than on the card has no steps left. */
function Progress({ done }: { done: readonly string[] }) {
  const isOnItsWay = done.every((step, index) => step === STEPS[index])
  const left = isOnItsWay ? STEPS.slice(done.length) : []
  return (
    <ol className={styles.steps} aria-label="Progress">
      {done.map((step, index) => (
        <li key={step} className={styles.done} aria-current={index === done.length - 1 ? 'step' : undefined}>
          {step}
        </li>
      ))}
      {left.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}
