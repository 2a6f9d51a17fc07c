import { PaddockFault } from '@paddock/client'
import { useEffect, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { type PendingChallenge, storeChallenge, takeReturned } from '../challenge.ts'
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
  const [status, setStatus] = useState<string>()
  const [url, setUrl] = useState<string>()
  const { run, error, isBusy } = useAction(async () => {
    const redirectResult = takeReturned()
    if (redirectResult !== null) await paddock.finishChallenge({ paymentId, redirectResult }).catch(ignoreDecided)
    const deposit = await paddock.getDeposit({ paymentId })
    setStatus(deposit.status)
    setUrl(deposit.action?.url)
    if (deposit.status !== 'challenge') storeChallenge(null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => {
    run()
  }, [])
  return (
    <section className="panel" role="status" aria-label="Deposit with your bank's confirmation">
      <h2>{status === 'authorised' ? `£${amount} deposited` : `Deposit of £${amount}`}</h2>
      <p>{status === undefined ? 'Asking the bank …' : WORDS[status]}</p>
      {error !== undefined && <ProblemPanel error={error} />}
      {status === 'challenge' && (
        <p>
          <a className="button primary" href={url}>
            Go to your bank
          </a>{' '}
          <button type="button" aria-disabled={isBusy} onClick={() => run()}>
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
