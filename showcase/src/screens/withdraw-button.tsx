import { useAction } from '../../../web/action.ts'
import type { Tip } from '../answers.ts'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

/** A withdrawn tip stays in the record, so that nobody can hide losers. */
export function WithdrawButton({ tip, reload }: { tip: Tip; reload(): void }) {
  const { paddock } = useSession()
  const { run, error, isBusy } = useAction(async () => {
    await paddock.deactivateComment({ id: tip.id })
    reload()
  })
  if (tip.status !== 'A') return null
  return (
    <>
      <button type="button" className="bare" aria-disabled={isBusy} onClick={run}>
        Withdraw
      </button>
      {error !== undefined && <ProblemPanel error={error} />}
    </>
  )
}
