import type { Loaded } from '../../../web/load.ts'
import { depositWords } from '../../../web/words/own-deposits.ts'
import type { ListedDeposit, PaymentMethod } from '../answers.ts'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { When } from '../parts/when.tsx'
import { cardText } from '../words.ts'
import styles from './wallet.module.css'

type Props = {
  money: Loaded<{ readonly deposits: readonly ListedDeposit[] }>
  cards: readonly PaymentMethod[] | undefined
  /** undefined: all are shown. */
  more: (() => void) | undefined
}

export function OwnDeposits({ money, cards, more }: Props) {
  return (
    <section aria-labelledby="deposits-title">
      <h2 id="deposits-title">Your deposits</h2>
      <LoadView loaded={money} skeleton={<Skeletons shape="row" count={2} />}>
        {({ deposits }) =>
          deposits.length === 0 ? (
            <Empty title="You have made no deposits" />
          ) : (
            <ul className="list rows" aria-label="Your deposits">
              {deposits.map((deposit) => (
                <li key={deposit.paymentId}>
                  <DepositRow deposit={deposit} card={cardText(cards, deposit.methodId)} />
                </li>
              ))}
            </ul>
          )
        }
      </LoadView>
      {more !== undefined && (
        <button type="button" className="wide" aria-disabled={money.isLoading} onClick={more}>
          Show more
        </button>
      )}
    </section>
  )
}

function DepositRow({ deposit, card }: { deposit: ListedDeposit; card: string }) {
  const { title, text } = depositWords(deposit)
  return (
    <div className={styles.deposit}>
      <strong>£{deposit.amount}</strong>
      <span className="row-text">
        <strong>{title}</strong>
        <span className="quiet">{text}</span>
        <span className="quiet">
          {card} · <When time={deposit.createdDateTimeZoned} />
        </span>
      </span>
    </div>
  )
}
