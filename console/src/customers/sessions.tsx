import type { CustomerSession } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { ActionButton } from '../parts/action.tsx'
import { DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'

export function CustomerSessions({ id }: { id: string }) {
  const { api } = useSession()
  const may = usePermission()
  const notify = useNotice()
  const sessions = useResource('listSessions', { id })

  async function endAll(): Promise<void> {
    await api('endSessions', { id })
    notify(`All sessions of customer ${id} end within 5 seconds.`)
    sessions.reload()
  }

  async function end(session: CustomerSession): Promise<void> {
    await api('endSession', { id, session: session.id })
    notify('The session ends within 5 seconds.')
    sessions.reload()
  }

  const confirmation = {
    title: `End all sessions of customer ${id}?`,
    action: 'End all sessions',
    isDangerous: true,
    text: 'They have to log in again on every device.',
  }
  return (
    <section className="panel" aria-label="Sessions">
      <h2>Sessions</h2>
      <ResourceView resource={sessions}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">No active sessions.</p>
          ) : (
            <SessionTable items={items} onEnd={may('endSession') ? end : undefined} />
          )
        }
      </ResourceView>
      {(sessions.answer?.items.length ?? 0) > 0 && may('endSessions') && (
        <ActionButton className="danger" action={endAll} confirmation={confirmation}>
          End all sessions …
        </ActionButton>
      )}
    </section>
  )
}

type SessionTableProps = {
  items: readonly CustomerSession[]
  onEnd: ((session: CustomerSession) => Promise<void>) | undefined
}

function SessionTable({ items, onEnd }: SessionTableProps) {
  return (
    <DataTable
      label="Active sessions"
      columns={['Started', 'Last used', 'Ends', 'Actions'].slice(0, onEnd === undefined ? 3 : 4)}
      rows={items.map((one, index) => ({
        key: one.id,
        cells: [
          <DateTime key="started" at={one.createdAt} />,
          <DateTime key="used" at={one.lastUsedAt} />,
          <DateTime key="ends" at={one.endsAt} />,
          ...(onEnd === undefined
            ? []
            : [
                <ActionButton key="end" label={`End session ${index + 1}`} action={() => onEnd(one)}>
                  End
                </ActionButton>,
              ]),
        ],
      }))}
    />
  )
}
