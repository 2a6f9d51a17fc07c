import { Icon } from '../../../web/icons.tsx'
import { OddsText } from '../odds.tsx'
import type { Odds } from '../odds-text.ts'
import { AsOf } from './as-of.tsx'
import styles from './tips.module.css'

type ChipProps = { price: Odds | undefined; label?: string }

export function PriceChip({ price = {}, label }: ChipProps) {
  return (
    <span className={styles.priceChip}>
      {label !== undefined && <span className={styles.priceLabel}>{label}</span>}
      <strong>
        <OddsText odds={price} />
      </strong>
    </span>
  )
}

export function PriceText({ price = {} }: { price: Odds | undefined }) {
  return <OddsText odds={price} />
}

type MoveProps = {
  then: Odds | undefined
  now: Odds | undefined
  isOpen: boolean
  /** Whether the price is reported as it changes: only then is an equal one known to be unchanged. */
  isWatched: boolean
}

/** A price that went down after the tip is what a tipster hopes for: others agreed. Without `then` the tip does not count. */
export function PriceMove({ then, now, isOpen, isWatched }: MoveProps) {
  if (then === undefined) return null
  if (then.priceDec === undefined) return <PriceChip label="Tipped at" price={then} />
  return (
    <span className={styles.priceMove}>
      <PriceChip price={then} label="Tipped at" />
      {isOpen && now?.priceDec !== undefined && (isWatched || now.priceDec !== then.priceDec) && (
        <PriceNow price={now} change={Math.sign(Number(now.priceDec) - Number(then.priceDec))} />
      )}
      {isOpen && <AsOf />}
    </span>
  )
}

function PriceNow({ price, change }: { price: Odds; change: number }) {
  if (change === 0) return <span className={`${styles.priceNow} ${styles.same}`}>unchanged</span>
  const isLonger = change > 0
  return (
    <>
      <Icon name="next" />
      <span className={`${styles.priceNow} ${isLonger ? styles.up : styles.down}`}>
        <span className="hidden-text">now </span>
        <PriceChip price={price} />
        <Icon name={isLonger ? 'up' : 'down'} />
        <span>{isLonger ? 'longer' : 'shorter'}</span>
      </span>
    </>
  )
}
