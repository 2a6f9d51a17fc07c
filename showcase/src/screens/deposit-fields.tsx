import { useId } from 'react'
import type { Amount } from '../amounts.ts'
import type { PaymentMethod } from '../answers.ts'
import { AmountField } from '../parts/amount-field.tsx'
import { testCard } from '../test-cards.ts'
import styles from './wallet.module.css'

export const AMOUNTS = ['5.00', '20.00', '50.00'] as const

const isVisa = ({ card }: PaymentMethod) => card.scheme === 'VISA'

type CardChoiceProps = { cards: readonly PaymentMethod[]; id: number | undefined; choose(id: number): void }

export function CardChoice({ cards, id, choose }: CardChoiceProps) {
  return (
    <fieldset className={styles.cards}>
      <legend>Card</legend>
      {cards.map((method) => (
        <label key={method.id} className={isVisa(method) ? styles.card : `${styles.card} ${styles.mastercard}`}>
          <input type="radio" name="card" checked={method.id === id} onChange={() => choose(method.id)} />
          <span className={styles.cardScheme}>{isVisa(method) ? 'Visa' : 'Mastercard'}</span>
          <span className={styles.cardNumber}>
            <span aria-hidden="true">•••• </span>
            <span className="hidden-text">ending in </span>
            {method.card.number.slice(-4)}
          </span>
          <span className={styles.cardExpiry}>{method.card.expiryDate}</span>
          <span className={styles.cardShows}>{testCard(method.id)?.shows ?? 'Your own card'}</span>
        </label>
      ))}
    </fieldset>
  )
}

type FieldsProps = {
  amount: Amount
  setAmount(amount: string): void
  cv2: string
  setCv2(cv2: string): void
  card: PaymentMethod | undefined
}

export function AmountAndCode({ amount, setAmount, cv2, setCv2, card }: FieldsProps) {
  const id = useId()
  return (
    <div className={styles.depositFields}>
      <AmountField
        label="Amount in pounds"
        amount={amount}
        change={setAmount}
        hint={card !== undefined && `£${card.limits.minDeposit} to £${card.limits.maxDeposit}`}
      />
      <div className="field">
        <label htmlFor={`${id}-cv2`}>Security code</label>
        <input
          id={`${id}-cv2`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={cv2}
          onChange={(event) => setCv2(event.target.value)}
        />
        <p className="hint">Any 3 or 4 digits</p>
      </div>
      <fieldset className={styles.amounts} aria-label="Amounts">
        {AMOUNTS.map((one) => (
          <button key={one} type="button" aria-pressed={one === amount.text} onClick={() => setAmount(one)}>
            £{Number(one)}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
