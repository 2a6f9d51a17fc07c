import type { Exchange } from '../recorder.ts'
import styles from './drawer.module.css'

const COLOURS: Readonly<Record<string, string | undefined>> = {
  POST: styles.changing,
  PUT: styles.changing,
  DELETE: styles.deleting,
}

export function Method({ method }: { method: string }) {
  return <span className={`${styles.method} ${COLOURS[method] ?? ''}`}>{method}</span>
}

/** The status, and how long it took. */
export function Status({ exchange }: { exchange: Exchange }) {
  const { status, milliseconds, failure, isStream } = exchange
  return (
    <>
      <span className={`${styles.status} ${statusClass(exchange)}`}>
        {status ?? (failure === undefined ? '…' : 'failed')}
      </span>
      <span className={styles.took}>
        {isStream ? 'stream' : milliseconds === undefined ? '' : `${milliseconds} ms`}
      </span>
    </>
  )
}

/** A fault of a wallet comes with status 200. */
function statusClass({ status, failure, body }: Exchange): string {
  if (failure !== undefined) return 'bad'
  if (status === undefined) return 'waiting'
  return status >= 400 || body?.startsWith('{"whoFaults"') ? 'bad' : 'good'
}
