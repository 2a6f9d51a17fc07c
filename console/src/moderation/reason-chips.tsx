import type { Subject } from '../../../src/operator/api-types.ts'
import { REASON_LABELS } from '../../../web/words/moderation.ts'
import { Badge } from '../parts/basics.tsx'

/** Why it was flagged, whether a trusted reporter is among those who flagged it, and its labels. */
export function ReasonChips({ subject: { reasons, trustedFlags, labels } }: { subject: Subject }) {
  if (reasons.length + labels.length === 0 && trustedFlags === 0) return null
  return (
    <span className="chips">
      {trustedFlags > 0 && <Badge look="good">Trusted reporter</Badge>}
      {reasons.map(({ reason, flags }) => (
        <Badge key={reason}>
          {REASON_LABELS[reason]}
          {flags > 1 && ` × ${flags}`}
        </Badge>
      ))}
      {labels.map((label) => (
        <Badge key={`label ${label}`} look="warn">
          {label}
        </Badge>
      ))}
    </span>
  )
}
