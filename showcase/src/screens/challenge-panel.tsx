import { PaddockFault } from '@paddock/client'
import { useLoad } from '../../../web/load.ts'
import { type PendingChallenge, returnedResult, storeChallenge } from '../challenge.ts'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

const WORDS: Readonly<Record<string, string>> = {
  authorised: 'Your bank has confirmed it: the amount is in your account.',
  challenge: 'Your bank waits for your answer.',
  refused: 'Your bank has refused it. Nothing was taken.',
  void: 'It was not confirmed in time. Nothing was taken.',
}

/** What became of the deposit for which the browser left for the bank. */
export function ChallengePanel({ challenge, onDone }: { challenge: PendingChallenge; onDone: () => void }) {
  const { paddock } = useSession()
  const { paymentId, amount } = challenge
  // Finishing again, also at once, answers the same.
  const look = async () => {
    const redirectResult = returnedResult()
    if (redirectResult !== null) await paddock.finishChallenge({ paymentId, redirectResult }).catch(ignoreDecided)
    const deposit = await paddock.getDeposit({ paymentId })
    if (deposit.status !== 'challenge') storeChallenge(null)
    return deposit
  }
  const { answer, error, isLoading, reload } = useLoad(paymentId, look)
  const status = answer?.status
  return (
    <section className="panel" role="status" aria-label="Deposit with your bank's confirmation">
      <h2>{status === 'authorised' ? `£${amount} deposited` : `Deposit of £${amount}`}</h2>
      <p>{status === undefined ? 'Asking the bank …' : WORDS[status]}</p>
      {error !== undefined && !isLoading && <ProblemPanel error={error} retry={reload} />}
      {status === 'challenge' && (
        <p>
          <a className="button primary" href={answer?.action?.url}>
            Go to your bank
          </a>{' '}
          <button type="button" aria-disabled={isLoading} onClick={reload}>
            Look again
          </button>
        </p>
      )}
      {status !== undefined && status !== 'challenge' && (
        <button type="button" onClick={onDone}>
          Make another deposit
        </button>
      )}
    </section>
  )
}

/** A refusal, or that the bank has not decided, is what the deposit's status says in words. */
function ignoreDecided(error: unknown): void {
  if (!(error instanceof PaddockFault)) throw error
}
