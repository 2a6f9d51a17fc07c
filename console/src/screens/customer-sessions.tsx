import type { CustomerSession, Page } from '../../../src/operator/api-types.ts'
import { ActionButton } from '../parts/action.tsx'
import { DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { useResource } from '../resource.ts'
import { usePermission, useSession } from '../session.tsx'

export function CustomerSessions({ id }: { id: string }) {
  const { api } = useSession()
  const may = usePermission()
  const notify = useNotice()
  const sessions = useResource<Page<CustomerSession>>(`/customers/${id}/sessions`)

  async function endAll(): Promise<void> {
    await api('DELETE', `/customers/${id}/sessions`)
    notify(`All sessions of customer ${id} end within 5 seconds.`)
    sessions.reload()
  }

  return (
    <section className="panel" aria-label="Sessions">
      <h2>Sessions</h2>
      <ResourceView resource={sessions}>
        {({ items }) =>
          items.length === 0 ? <p className="quiet">No active sessions.</p> : <SessionTable items={items} />
        }
      </ResourceView>
      {(sessions.answer?.items.length ?? 0) > 0 && may('DELETE /customers/{id}/sessions') && (
        <ActionButton className="danger" action={endAll}>
          End all sessions
        </ActionButton>
      )}
    </section>
  )
}

function SessionTable({ items }: { items: readonly CustomerSession[] }) {
  return (
    <DataTable
      label="Active sessions"
      columns={['Started', 'Last used', 'Ends']}
      rows={items.map((one, index) => ({
        key: `${one.createdAt} ${index}`,
        cells: [
          <DateTime key="started" at={one.createdAt} />,
          <DateTime key="used" at={one.lastUsedAt} />,
          <DateTime key="ends" at={one.endsAt} />,
        ],
      }))}
    />
  )
}
