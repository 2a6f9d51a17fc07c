import { partLines, STEPS, withdrawalWords } from '../../../web/words/own-withdrawals.ts'
import type { PaymentMethod, Withdrawal } from '../answers.ts'
import { Empty } from '../parts/states.tsx'
import { When } from '../parts/when.tsx'
import { cardText } from '../words.ts'
import styles from './wallet.module.css'

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
              <WithdrawalRow withdrawal={one} card={placeOf(one, cards)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function placeOf({ methodId }: Withdrawal, cards: readonly PaymentMethod[]): string {
  return methodId === undefined ? 'By bank transfer' : cardText(cards, methodId)
}

function WithdrawalRow({ withdrawal, card }: { withdrawal: Withdrawal; card: string }) {
  const { amount, holdReason, createdDateTimeZoned, part } = withdrawal
  const { title, text, done } = withdrawalWords(withdrawal)
  const lines = partLines(part)
  return (
    <div className={styles.deposit}>
      <strong>£{amount}</strong>
      <span className="row-text">
        <strong>{title}</strong>
        <span className="quiet">
          {text}
          {holdReason !== undefined && ` Reason: ${holdReason}`}
        </span>
        <Progress done={done} />
        {lines.length > 1 && (
          <ul className={styles.parts} aria-label="Parts">
            {lines.map((line) => (
              <li key={`${line.what} ${line.state}`}>
                £{line.amount} {line.what}: {line.state}
              </li>
            ))}
          </ul>
        )}
        <span className="quiet">
          {card} · {lines.length === 1 && lines[0]?.what === 'winnings' && 'winnings · '}
          <When time={createdDateTimeZoned} />
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
