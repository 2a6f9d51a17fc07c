import { penceOf, poundsOf } from '../amounts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemPanel } from '../parts/states.tsx'
import styles from './wallet.module.css'

type Props = {
  card: string
  amount: string
  balance: string
  isBusy: boolean
  error: unknown
  withdraw(): void
  close(): void
}

/** Confirmed once, because a withdrawal cannot be taken back. */
export function WithdrawalConfirm({ card, amount, balance, isBusy, error, withdraw, close }: Props) {
  const sum = poundsOf(penceOf(amount) ?? 0)
  const after = poundsOf((penceOf(balance) ?? 0) - (penceOf(amount) ?? 0))
  return (
    <Dialog title={`Withdraw £${sum}?`} close={close}>
      <dl className={styles.terms}>
        <Term name="To" text={card} />
        <Term name="Amount" text={`£${sum}`} />
        <Term
          name="Arrives"
          text="Normally within 3 working days after we have approved it; two persons approve larger sums. In this sandbox, seconds after the approval."
        />
        <Term name="Balance after" text={`£${after}`} />
      </dl>
      <p className="hint">You cannot take a withdrawal back.</p>
      {error !== undefined && <ProblemPanel error={error} about="withdrawal" />}
      <p className="buttons">
        <button type="button" className="primary" aria-disabled={isBusy} onClick={withdraw}>
          {isBusy ? 'Withdrawing …' : `Withdraw £${sum}`}
        </button>
        <button type="button" onClick={close}>
          Change it
        </button>
      </p>
    </Dialog>
  )
}

function Term({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  )
}
