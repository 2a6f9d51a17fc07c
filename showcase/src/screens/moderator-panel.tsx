import { useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import type { Tip } from '../answers.ts'
import { ProblemPanel } from '../parts/states.tsx'
import { decide } from '../sandbox.ts'
import { useSession } from '../session.tsx'
import styles from './moderator-panel.module.css'

type Decided = 'remove' | 'dismiss'
type State = { decided?: Decided; error?: unknown; isBusy: boolean }

/** In the sandbox the customer may play the moderator; elsewhere that is done in the console. */
export function ModeratorPanel({ tip }: { tip: Tip }) {
  const { sandbox } = useSession()
  const [{ decided, error, isBusy }, setState] = useState<State>({ isBusy: false })

  async function act(action: Decided): Promise<void> {
    if (isBusy) return
    setState({ isBusy: true })
    try {
      await decide(tip.id, action)
      setState({ decided: action, isBusy: false })
    } catch (error) {
      setState({ error, isBusy: false })
    }
  }

  if (decided !== undefined) return <Outcome tip={tip} decided={decided} />
  return (
    <section className={styles.moderator} aria-labelledby="moderator-title">
      <h2 id="moderator-title">You flagged this tip</h2>
      <p>
        Moderators decide in <a href={sandbox.consoleUrl}>the console</a>. In the sandbox you can decide yourself:
      </p>
      <div className="buttons">
        <button type="button" aria-disabled={isBusy} onClick={() => act('remove')}>
          Remove it as moderator
        </button>
        <button type="button" aria-disabled={isBusy} onClick={() => act('dismiss')}>
          Leave it as moderator
        </button>
      </div>
      {error !== undefined && <ProblemPanel error={error} />}
    </section>
  )
}

function Outcome({ tip, decided }: { tip: Tip; decided: Decided }) {
  const author = tip.profile?.name ?? 'The author'
  return (
    <section className={styles.moderator} role="status">
      <p>
        <strong>{decided === 'remove' ? 'Removed.' : 'Left as it is.'}</strong>{' '}
        {decided === 'remove' ? `${author} gets the reasons and may appeal.` : ''} You get a notification, and{' '}
        <a href={linkTo('moderation')}>your decisions</a> say how your flag ended.
      </p>
    </section>
  )
}
