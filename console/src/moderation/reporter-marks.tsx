import type { ReporterMarks as Marks, Reporter } from '../../../src/operator/api-types.ts'
import { ActionButton } from '../parts/action.tsx'
import { Badge } from '../parts/basics.tsx'
import type { Confirmation } from '../parts/confirm.tsx'
import { useNotice } from '../parts/notices.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'

/** Badges of a reporter, if muted or trusted. */
export function ReporterBadges({ reporter: { muted, trusted } }: { reporter: Reporter }) {
  if (muted) return <Badge look="warn">muted</Badge>
  return trusted ? <Badge look="good">trusted</Badge> : null
}

type ReporterMarksProps = { reporter: Reporter; onMarked: (reporter: Reporter) => void }
type Mark = { label: string; change: Marks; done: string; confirmation: Confirmation }

/** Buttons that mute and trust a reporter, or end it. */
export function ReporterMarks({ reporter, onMarked }: ReporterMarksProps) {
  const { api } = useSession()
  const notify = useNotice()
  const may = usePermission()
  if (!may('markReporter')) return null
  return (
    <span className="buttons">
      {marksFor(reporter).map(({ label, change, done, confirmation }) => (
        <ActionButton
          key={label}
          className="small"
          label={`${label} ${reporter.name}`}
          confirmation={confirmation}
          action={async () => {
            onMarked(await api('markReporter', { profileId: reporter.profileId, body: change }))
            notify(`${reporter.name}: ${done}. Weights follow within some seconds.`)
          }}
        >
          {label}
        </ActionButton>
      ))}
    </span>
  )
}

function marksFor({ name, muted, trusted }: Reporter): Mark[] {
  if (muted) {
    const text = 'Their open flags count again, and may bring subjects back into the queue.'
    const confirmation = { title: `Unmute ${name}?`, action: 'Unmute', text }
    return [{ label: 'Unmute', change: { muted: false }, done: 'no longer muted', confirmation }]
  }
  const mute: Mark = {
    label: 'Mute',
    change: { muted: true, trusted: false },
    done: 'muted',
    confirmation: {
      title: `Mute ${name}?`,
      action: 'Mute',
      isDangerous: true,
      text: 'Their flags stay visible but count nothing: what only muted reporters flag leaves the queue.',
    },
  }
  const trust: Mark = trusted
    ? {
        label: 'Stop trusting',
        change: { trusted: false },
        done: 'no longer trusted',
        confirmation: {
          title: `Stop trusting ${name}?`,
          action: 'Stop trusting',
          text: 'What they flag leaves the lane of trusted reporters.',
        },
      }
    : {
        label: 'Trust',
        change: { trusted: true },
        done: 'trusted',
        confirmation: {
          title: `Trust ${name}?`,
          action: 'Trust',
          text: 'What they flag is also shown in the lane of trusted reporters.',
        },
      }
  return [mute, trust]
}
