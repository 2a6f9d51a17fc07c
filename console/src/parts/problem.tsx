import { useRetryOnReturn } from '../../../web/connection.ts'
import { NO_RESPONSE, type Refusal } from '../api/api.ts'

type ProblemProps = { refusal: Pick<Refusal, 'status' | 'title' | 'message' | 'errors'>; onRetry?: () => void }

/** The server's explanation of what went wrong and what to do. What got no response is tried again when there is a connection. */
export function Problem({ refusal, onRetry }: ProblemProps) {
  useRetryOnReturn(refusal.status === NO_RESPONSE ? onRetry : undefined)
  return (
    <div className="problem" role="alert">
      <p>
        <strong>{refusal.title}.</strong> {refusal.message}
      </p>
      {refusal.errors.length > 1 && (
        <ul>
          {refusal.errors.map((error) => (
            <li key={error.pointer}>
              <code>{error.pointer}</code> {error.detail}
            </li>
          ))}
        </ul>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

export function NotAvailable({ what, role }: { what: string; role: string }) {
  return (
    <div className="empty">
      <p>
        {role === 'admin'
          ? `${what}: not available on this server.`
          : `${what}: not available to the role ${role}, or not on this server. Ask an admin for a token with another role.`}
      </p>
    </div>
  )
}
