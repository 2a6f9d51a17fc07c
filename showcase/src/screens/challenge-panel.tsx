import { PaddockFault } from '@paddock/client'
import { useAction } from '../../../web/action.ts'
import { useLoad } from '../../../web/load.ts'
import { depositWords } from '../../../web/words/own-deposits.ts'
import type { ListedDeposit } from '../answers.ts'
import { returnedResult } from '../challenge.ts'
import { ProblemPanel } from '../parts/states.tsx'
import { Countdown } from '../parts/when.tsx'
import { useSession } from '../session.tsx'
import { clockText } from '../words.ts'
import { DepositTitle } from './receipt.tsx'
import styles from './wallet.module.css'

type Props = { deposit: ListedDeposit; reload(): void; onDone(): void }

/** The deposit for which the browser leaves for the bank, until it is decided and the customer makes another. */
export function ChallengePanel({ deposit, reload, onDone }: Props) {
  const { paddock } = useSession()
  const { paymentId, status, challengeUntilDateTimeZoned: until } = deposit
  // Finishing again answers the same. What it answered is in the list, which is loaded again then.
  const finishing = useLoad(paymentId, async () => {
    const redirectResult = returnedResult()
    if (redirectResult === null) return
    await paddock.finishChallenge({ paymentId, redirectResult }).catch(ignoreDecided)
    reload()
  })
  const goToBank = useAction(async () => {
    const { action } = await paddock.getDeposit({ paymentId })
    if (action === undefined) reload()
    else location.assign(action.url)
  })
  const cancel = useAction(async () => {
    await paddock.cancelChallenge({ paymentId })
    reload()
  })
  const lookAgain = () => (returnedResult() === null ? reload() : finishing.reload())
  const error = finishing.error ?? goToBank.error ?? cancel.error
  return (
    <section className={styles.receipt} role="status" aria-label="Deposit with your bank's confirmation">
      <DepositTitle deposit={deposit} amount={deposit.amount} />
      <p>{finishing.isLoading ? 'Asking the bank …' : depositWords(deposit).text}</p>
      {status === 'challenge' && until !== undefined && (
        <p>
          You can confirm it until {clockText(until)}: it ends{' '}
          <strong>
            <Countdown to={until} over="now" />
          </strong>
          , and nothing is taken. Until then you can make no other deposit.
        </p>
      )}
      {error !== undefined && !finishing.isLoading && <ProblemPanel error={error} retry={lookAgain} />}
      {status === 'challenge' ? (
        <p className={styles.actions}>
          <button type="button" className="primary" aria-disabled={goToBank.isBusy} onClick={goToBank.run}>
            Go to your bank
          </button>
          <button type="button" aria-disabled={finishing.isLoading} onClick={lookAgain}>
            Look again
          </button>
          <button type="button" aria-disabled={cancel.isBusy} onClick={cancel.run}>
            Cancel this deposit
          </button>
        </p>
      ) : (
        <button type="button" onClick={onDone}>
          Make another deposit
        </button>
      )}
    </section>
  )
}

/** A refusal, or a missing decision of the bank, is already in the words of the deposit's state. */
function ignoreDecided(error: unknown): void {
  if (!(error instanceof PaddockFault)) throw error
}
