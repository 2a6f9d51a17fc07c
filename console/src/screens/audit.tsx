import { useList } from '../loading.ts'
import { ScreenHead, When } from '../parts/basics.tsx'
import { More } from '../parts/more.tsx'

type Entry = {
  id: string
  at: string
  actor: string
  role: string
  action: string
  subject: string
  detail: Record<string, unknown>
}

export function AuditScreen() {
  const trail = useList<Entry>('/audit', 25)
  return (
    <>
      <ScreenHead title="Audit trail">
        <button type="button" onClick={trail.reload} disabled={trail.loading}>
          Refresh
        </button>
      </ScreenHead>
      <p className="lead">Every write of operators, newest first. Secrets and log-ins are never in it.</p>
      {trail.items.length > 0 && (
        <div className="scroll">
          <table className="audit">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Who</th>
                <th scope="col">Did</th>
                <th scope="col">To</th>
                <th scope="col">With</th>
              </tr>
            </thead>
            <tbody>
              {trail.items.map((entry) => (
                <tr key={entry.id}>
                  <td>
                    <When at={entry.at} />
                  </td>
                  <td>
                    {entry.actor} <span className="quiet">{entry.role}</span>
                  </td>
                  <td>{entry.action}</td>
                  <td>{entry.subject}</td>
                  <td>
                    <code>{inShort(entry.detail)}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {trail.items.length === 0 && !trail.loading && !trail.refusal && (
        <p className="quiet">Nothing was written yet.</p>
      )}
      <More list={trail} />
    </>
  )
}

function inShort({ body, note }: Record<string, unknown>): string {
  return [body === undefined ? '' : JSON.stringify(body), note ?? ''].filter((part) => part !== '').join(' ')
}
