// Prices as customers know them: fractions, with the decimal price for those who prefer it.

import { Icon } from './icons.tsx'
import styles from './tips.module.css'

export type ShownPrice = { readonly priceFrac?: string | undefined; readonly priceDec?: string | undefined }
type ChipProps = { price: ShownPrice | undefined; label?: string; decimal?: boolean }

export function PriceChip({ price, label, decimal = false }: ChipProps) {
  return (
    <span className={styles.priceChip}>
      {label !== undefined && <span className={styles.priceLabel}>{label}</span>}
      <strong>{price?.priceFrac ?? 'SP'}</strong>
      {decimal && price?.priceDec !== undefined && <span className={styles.priceDecimal}>{price.priceDec}</span>}
    </span>
  )
}

type MoveProps = { then: ShownPrice | undefined; now: ShownPrice | undefined; isOpen: boolean; decimal?: boolean }

/** A price that went down after the tip is what a tipster hopes for: others agreed. */
export function PriceMove({ then, now, isOpen, decimal = false }: MoveProps) {
  if (then?.priceDec === undefined) return <PriceChip label="Tipped at" price={undefined} />
  return (
    <span className={styles.priceMove}>
      <PriceChip price={then} label="Tipped at" decimal={decimal} />
      {isOpen && now?.priceDec !== undefined && (
        <PriceNow price={now} change={Math.sign(Number(now.priceDec) - Number(then.priceDec))} decimal={decimal} />
      )}
    </span>
  )
}

function PriceNow({ price, change, decimal }: { price: ShownPrice; change: number; decimal: boolean }) {
  if (change === 0) return <span className={`${styles.priceNow} ${styles.same}`}>unchanged</span>
  const isLonger = change > 0
  return (
    <>
      <Icon name="next" />
      <span className={`${styles.priceNow} ${isLonger ? styles.up : styles.down}`}>
        <span className="hidden-text">now </span>
        <PriceChip price={price} decimal={decimal} />
        <Icon name={isLonger ? 'up' : 'down'} />
        <span>{isLonger ? 'longer' : 'shorter'}</span>
      </span>
    </>
  )
}
