import type { NewWebhook } from '../../../src/operator/api-types.ts'
import styles from './event-kinds.module.css'

export type EventKind = NonNullable<NewWebhook['kinds']>[number]

/** The compiler compares them with the service's: the console imports its types only. */
const KINDS: Record<EventKind, true> = {
  'profile.created': true,
  'follow.created': true,
  'follow.ended': true,
  'tip.created': true,
  'tip.deactivated': true,
  'tip.removed': true,
  'tip.restored': true,
  'tip.settled': true,
  'tip.corrected': true,
  'like.created': true,
  'like.ended': true,
  'flag.created': true,
  'decision.made': true,
  'appeal.made': true,
  'appeal.decided': true,
  'deposit.challenged': true,
  'deposit.authorised': true,
  'deposit.captured': true,
  'deposit.declined': true,
  'deposit.voided': true,
  'deposit.review': true,
  'deposit.resolved': true,
  'refund.requested': true,
  'refund.sent': true,
  'refund.done': true,
  'refund.failed': true,
  'refund.review': true,
  'dispute.opened': true,
  'dispute.changed': true,
  'withdrawal.requested': true,
  'withdrawal.held': true,
  'withdrawal.released': true,
  'withdrawal.approved': true,
  'withdrawal.sending': true,
  'withdrawal.paid': true,
  'withdrawal.returned': true,
  'withdrawal.part-returned': true,
  'withdrawal.refused': true,
  'withdrawal.review': true,
  'card.added': true,
  'card.changed': true,
  'card.closed': true,
  'card.blocked': true,
  'card.reopened': true,
  'card.removed': true,
  'card.account-closed': true,
  'market.settled': true,
  'customer.changed': true,
  'limit.changed': true,
  'customer.excluded': true,
  'customer.erased': true,
}

export const EVENT_KINDS = Object.keys(KINDS) as EventKind[]

type EventKindsProps = { kinds: readonly EventKind[]; onChange: (kinds: EventKind[]) => void }

/** None chosen: all. */
export function EventKinds({ kinds, onChange }: EventKindsProps) {
  return (
    <details className={styles.eventKinds}>
      <summary>Events: {kinds.length === 0 ? 'all' : kinds.join(', ')}</summary>
      <fieldset>
        <legend>Send only these events (none checked: all)</legend>
        {EVENT_KINDS.map((kind) => (
          <label className="check" key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={(event) =>
                onChange(event.target.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind))
              }
            />{' '}
            {kind}
          </label>
        ))}
      </fieldset>
    </details>
  )
}

export function kindsInWords(kinds: readonly EventKind[] | null): string {
  return kinds === null ? 'all' : kinds.join(', ')
}
