import type { SubjectContext } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { REASON_LABELS, reporterHistory, VERDICTS } from '../../../web/words/moderation.ts'
import { Badge, DateTime } from '../parts/basics.tsx'
import context from './context-panel.module.css'
import { ReporterBadges, ReporterMarks } from './reporter-marks.tsx'

type Flag = SubjectContext['flags'][number]

/** Who flagged the subject, why, and how often they were right. */
export function ContextFlags({ flags, onChange }: { flags: readonly Flag[]; onChange: () => void }) {
  return (
    <section aria-label="Flagged by">
      <h3>Flagged by</h3>
      {flags.length === 0 ? (
        <p className="quiet">Nobody.</p>
      ) : (
        <ul className={context.list}>
          {flags.map((flag) => (
            <FlagEntry key={flag.reporter.profileId} flag={flag} onChange={onChange} />
          ))}
        </ul>
      )}
    </section>
  )
}

function FlagEntry({ flag, onChange }: { flag: Flag; onChange: () => void }) {
  const { reporter, reason, note, at, verdict } = flag
  return (
    <li>
      <p className="chips">
        <a href={linkTo('profiles', reporter.profileId)}>{reporter.name}</a>
        {reason !== null && <Badge>{REASON_LABELS[reason]}</Badge>}
        {verdict !== 'open' && verdict !== 'neither' && (
          <Badge look={verdict === 'upheld' ? 'good' : 'plain'}>{VERDICTS[verdict]}</Badge>
        )}
        <ReporterBadges reporter={reporter} />
      </p>
      {note !== '' && <blockquote>{note}</blockquote>}
      <p className="hint">
        {reporterHistory(reporter)}, weight {reporter.weight}. Flagged <DateTime at={at} />.
      </p>
      {reporter.note !== '' && <p className="hint">Note: {reporter.note}</p>}
      <ReporterMarks reporter={reporter} onMarked={onChange} />
    </li>
  )
}
