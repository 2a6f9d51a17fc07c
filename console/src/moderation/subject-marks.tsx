import { useRef, useState } from 'react'
import type { ModerationSettings, ProfileSubject, Subject } from '../../../src/operator/api-types.ts'
import { ActionForm } from '../parts/action.tsx'
import { DateTime } from '../parts/basics.tsx'
import { useCall } from '../parts/call.ts'
import { SelectField, TextField } from '../parts/fields.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { Problem } from '../parts/problem.tsx'
import { useKeys } from '../parts/shortcuts.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { MAX_NOTE_LENGTH } from './action-bar.tsx'
import { assigneeOptions, assigneeText, useModerationSettings } from './moderation-settings.ts'
import { CALLS } from './subject.ts'
import styles from './subject-marks.module.css'

type SubjectMarksProps = { subject: Subject; onChange: (after: Subject) => void }

/** Labels of the subject, and who is to decide. Both take effect at once: they are for moderators only. */
export function SubjectMarks({ subject, onChange }: SubjectMarksProps) {
  const may = usePermission()
  const settings = useModerationSettings()
  const { assignment, kind } = subject
  return (
    <div className={styles.marks}>
      {assignment !== null && (
        <p className="warning">
          Assigned to <strong>{assigneeText(assignment.assignee)}</strong> by {assignment.by},{' '}
          <DateTime at={assignment.at} />
          {assignment.note !== '' && `: ${assignment.note}`}
        </p>
      )}
      {subject.kind === 'profile' && may('premoderateProfile') && (
        <Premoderation key={`premoderation ${subject.id}`} profile={subject} onChange={onChange} />
      )}
      {settings !== undefined && may(CALLS[kind].label) && (
        <Labels key={`labels ${subject.id}`} subject={subject} settings={settings} onChange={onChange} />
      )}
      {settings !== undefined && may(CALLS[kind].assign) && (
        <Assignment key={`assignment ${subject.id}`} subject={subject} settings={settings} onChange={onChange} />
      )}
    </div>
  )
}

type PartProps = SubjectMarksProps & { settings: ModerationSettings }

function Labels({ subject, settings, onChange }: PartProps) {
  const { api } = useSession()
  const details = useRef<HTMLDetailsElement>(null)
  const { id, kind, labels } = subject
  const offered = [...new Set([...settings.labels, ...labels])].sort()
  const { busy, refusal, run } = useCall(async (label: string) => {
    const next = labels.includes(label) ? labels.filter((one) => one !== label) : [...labels, label]
    onChange(await api(CALLS[kind].label, { id, body: { labels: next } }))
  })
  useKeys({ labels: () => openDetails(details.current, 'input') })
  if (offered.length === 0) return null
  return (
    <details ref={details}>
      <summary>
        Labels{labels.length > 0 && `: ${labels.join(', ')}`} <KeyHint letter="l" />
      </summary>
      <div className="chips">
        {offered.map((label) => (
          <label key={label} className="check">
            <input type="checkbox" checked={labels.includes(label)} disabled={busy} onChange={() => run(label)} />{' '}
            {label}
          </label>
        ))}
      </div>
      {refusal && <Problem refusal={refusal} />}
    </details>
  )
}

const NOBODY = ''

function Assignment({ subject, settings, onChange }: PartProps) {
  const { api } = useSession()
  const details = useRef<HTMLDetailsElement>(null)
  const { id, kind, assignment } = subject
  const [assignee, setAssignee] = useState(assignment?.assignee ?? NOBODY)
  const [note, setNote] = useState('')

  async function send(): Promise<void> {
    const body = { assignee: assignee === NOBODY ? null : assignee, note: note.trim() }
    onChange(await api(CALLS[kind].assign, { id, body }))
    setNote('')
    if (details.current !== null) details.current.open = false
  }

  useKeys({ escalate: () => openDetails(details.current, 'select') })
  return (
    <details ref={details}>
      <summary>
        Escalate <KeyHint letter="e" />
      </summary>
      <ActionForm action={send} className="inline narrow">
        {(busy) => (
          <>
            <SelectField
              label="To"
              value={assignee}
              onChange={setAssignee}
              options={[{ value: NOBODY, label: 'nobody' }, ...assigneeOptions(settings, assignment?.assignee)]}
            />
            <TextField
              label="Why (optional)"
              value={note}
              onChange={setNote}
              maxLength={MAX_NOTE_LENGTH}
              autoComplete="off"
            />
            <button type="submit" aria-disabled={busy}>
              Assign
            </button>
          </>
        )}
      </ActionForm>
    </details>
  )
}

type PremoderationProps = { profile: ProfileSubject; onChange: SubjectMarksProps['onChange'] }

/** Whether each new tip of the profile is held until a moderator has looked at it. */
function Premoderation({ profile, onChange }: PremoderationProps) {
  const { api } = useSession()
  const details = useRef<HTMLDetailsElement>(null)
  const [reason, setReason] = useState('')
  const { id, premoderated } = profile

  async function send(): Promise<void> {
    onChange(await api('premoderateProfile', { id, body: { on: !premoderated, reason: reason.trim() } }))
    setReason('')
    if (details.current !== null) details.current.open = false
  }

  return (
    <details ref={details}>
      <summary>{premoderated ? 'Pre-moderated: every new tip is held' : 'Pre-moderate'}</summary>
      <ActionForm action={send} className="inline narrow">
        {(busy) => (
          <>
            <TextField
              label="Reason"
              value={reason}
              onChange={setReason}
              required
              maxLength={MAX_NOTE_LENGTH}
              autoComplete="off"
            />
            <button type="submit" aria-disabled={busy}>
              {premoderated ? 'Show new tips at once' : 'Hold every new tip'}
            </button>
          </>
        )}
      </ActionForm>
    </details>
  )
}

function openDetails(details: HTMLDetailsElement | null, field: string): void {
  if (details === null) return
  details.open = true
  details.querySelector<HTMLElement>(field)?.focus()
}
