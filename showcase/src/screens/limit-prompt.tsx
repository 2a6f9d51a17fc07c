import { useAction } from '../../../web/action.ts'
import { useLoad } from '../../../web/load.ts'
import { linkTo } from '../../../web/route.ts'
import { useSession } from '../session.tsx'

/** Suggests limits once, best before the first deposit; and leads to them at any time. `hasDeposited`: undefined until it is known. */
export function LimitPrompt({ hasDeposited }: { hasDeposited: boolean | undefined }) {
  const { paddock } = useSession()
  const limits = useLoad('limits', () => paddock.getMyLimits())
  const { run } = useAction(async () => limits.show(await paddock.markLimitsPrompted({ prompted: true })))
  const link = <a href={linkTo('play-safely')}>Play safely: limits, time-out, self-exclusion</a>
  if (hasDeposited === undefined || limits.answer === undefined || limits.answer.prompted) return <p>{link}</p>
  return (
    <section aria-label="Limits">
      <p>
        {hasDeposited ? 'Would' : 'Before your first deposit: would'} you like to limit what you deposit in a day, a
        week or a month?
      </p>
      <p>
        {link}{' '}
        <button type="button" onClick={() => run()}>
          Not now
        </button>
      </p>
    </section>
  )
}
