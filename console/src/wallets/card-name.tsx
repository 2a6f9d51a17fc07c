import styles from './card-name.module.css'

type CardNameProps = { card: { scheme: string; lastFour: string; expiryDate: string } }

/** What tells the cards of a customer apart: brand, last digits, expiry. The number itself is not stored. */
export function CardName({ card: { scheme, lastFour, expiryDate } }: CardNameProps) {
  return (
    <span className={styles.card}>
      <span className={styles.scheme}>{scheme}</span> … {lastFour} <span className="quiet">{expiryDate}</span>
    </span>
  )
}
