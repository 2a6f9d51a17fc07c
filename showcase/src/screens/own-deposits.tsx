import type { Loaded } from '../../../web/load.ts'
import type { ListedDeposit, PaymentMethod } from '../answers.ts'
import { depositWords } from '../deposit-words.ts'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { fromNow } from '../words.ts'
import styles from './wallet.module.css'

type Props = {
  deposits: Loaded<readonly ListedDeposit[]>
  cards: readonly PaymentMethod[] | undefined
  /** undefined: all are shown. */
  more: (() => void) | undefined
}

export function OwnDeposits({ deposits, cards, more }: Props) {
  return (
    <section aria-labelledby="deposits-title">
      <h2 id="deposits-title">Your deposits</h2>
      <LoadView loaded={deposits} skeleton={<Skeletons shape="row" count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="You have made no deposits" />
          ) : (
            <ul className="list rows" aria-label="Your deposits">
              {list.map((deposit) => (
                <li key={deposit.paymentId}>
                  <DepositRow deposit={deposit} card={cards?.find(({ id }) => id === deposit.methodId)} />
                </li>
              ))}
            </ul>
          )
        }
      </LoadView>
      {more !== undefined && (
        <button type="button" className="wide" aria-disabled={deposits.isLoading} onClick={more}>
          Show more
        </button>
      )}
    </section>
  )
}

function DepositRow({ deposit, card }: { deposit: ListedDeposit; card: PaymentMethod | undefined }) {
  const { title, text } = depositWords(deposit)
  return (
    <div className={styles.deposit}>
      <strong>£{deposit.amount}</strong>
      <span className="row-text">
        <strong>{title}</strong>
        <span className="quiet">{text}</span>
        <span className="quiet">
          {card === undefined
            ? 'A card you no longer have'
            : `${card.card.scheme} ending in ${card.card.number.slice(-4)}`}
          {' · '}
          {fromNow(deposit.createdDateTimeZoned)}
        </span>
      </span>
    </div>
  )
}
