import { useAction } from '../../../web/action.ts'
import { openRoute } from '../../../web/route.ts'
import type { Tip } from '../answers.ts'
import { ProblemPanel } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { useToast } from '../toasts.tsx'

/** A withdrawn tip stays in the record, so that nobody can hide losers. */
export function WithdrawButton({ tip }: { tip: Tip }) {
  const { paddock } = useSession()
  const toast = useToast()
  const { run, error, isBusy } = useAction(async () => {
    await paddock.deactivateComment({ id: tip.id })
    toast({ icon: 'check', text: 'Your tip is withdrawn. Its result counts all the same.' })
    openRoute('me')
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
