import type { Page } from '../api.ts'
import { useAsyncAction } from '../async-action.ts'
import { DateTime, Progress } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { useResource } from '../resource.ts'
import { usePermission, useSession } from '../session.tsx'

type CustomerSession = { createdAt: string; lastUsedAt: string; endsAt: string }

export function CustomerSessions({ id }: { id: string }) {
  const may = usePermission()
  const { answer, refusal, loading, reload } = useResource<Page<CustomerSession>>(`/customers/${id}/sessions`)
  const items = answer?.items ?? []
  return (
    <section className="panel" aria-label="Sessions">
      <h2>Sessions</h2>
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && items.length === 0 && <p className="quiet">No active sessions.</p>}
      {items.length > 0 && (
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
      )}
      {items.length > 0 && may('DELETE /customers/{id}/sessions') && <EndAll id={id} onEnded={reload} />}
    </section>
  )
}

function EndAll({ id, onEnded }: { id: string; onEnded: () => void }) {
  const { api } = useSession()
  const notify = useNotice()
  const { busy, refusal, run } = useAsyncAction()
  const end = () =>
    run(async () => {
      await api('DELETE', `/customers/${id}/sessions`)
      notify(`All sessions of customer ${id} end within 5 seconds.`)
      onEnded()
    })
  return (
    <>
      <button type="button" className="danger" disabled={busy} onClick={end}>
        End all sessions
      </button>
      {refusal && <Problem refusal={refusal} />}
    </>
  )
}
