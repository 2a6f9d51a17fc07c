import type { AuditEntry } from '../../../src/operator/api-types.ts'
import { DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { LongText } from '../parts/long-text.tsx'
import { usePagedList } from '../resource.ts'

export function AuditScreen() {
  const trail = usePagedList<AuditEntry>('/audit', 25)
  return (
    <>
      <ScreenHeader title="Audit trail">
        <button type="button" onClick={trail.reload} aria-disabled={trail.loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        Changes, reads of personal data and refusals, newest first. It never contains secrets, passwords or user names.
      </p>
      {trail.items.length > 0 && (
        <DataTable
          label="Audit trail"
          columns={['Time', 'Actor', 'Address', 'Action', 'Subject', 'Details']}
          rows={trail.items.map((entry) => ({
            key: entry.id,
            cells: [
              <DateTime key="time" at={entry.at} />,
              <span key="actor">
                {entry.actor} <span className="quiet">{entry.role}</span>
              </span>,
              entry.address,
              entry.action,
              entry.subject,
              <LongText key="details" className="code" text={summarise(entry.detail)} />,
            ],
          }))}
        />
      )}
      {trail.items.length === 0 && !trail.loading && !trail.refusal && <p className="quiet">No entries yet.</p>}
      <LoadMore list={trail} />
    </>
  )
}

function summarise({ body, note, ...rest }: AuditEntry['detail']): string {
  const others = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
  return [body === undefined ? '' : JSON.stringify(body), others, note ?? ''].filter((part) => part !== '').join(' ')
}
