// Each HTTP request and answer as it is made, newest first: a developer learns the API by clicking.

import { useState, useSyncExternalStore } from 'react'
import { Icon } from '../parts/icons.tsx'
import { Segments } from '../parts/tabs.tsx'
import { type Exchange, recorder } from '../recorder.ts'
import styles from './drawer.module.css'
import { ExchangeDetails, type Representation } from './exchange-details.tsx'

const REPRESENTATIONS = [
  { value: 'json', label: 'JSON' },
  { value: 'xml', label: 'XML' },
] as const

const COLOURS: Readonly<Record<string, string | undefined>> = {
  POST: styles.changing,
  PUT: styles.changing,
  DELETE: styles.deleting,
}

export default function Drawer({ close }: { close(): void }) {
  const exchanges = useSyncExternalStore(recorder.subscribe, recorder.snapshot)
  const [representation, setRepresentation] = useState<Representation>('json')
  return (
    <aside
      className={styles.drawer}
      aria-labelledby="drawer-title"
      onKeyDown={({ key }) => {
        if (key === 'Escape') close()
      }}
    >
      <header>
        <h2 id="drawer-title">Requests and answers</h2>
        <Segments label="Representation" choices={REPRESENTATIONS} value={representation} choose={setRepresentation} />
        <button type="button" className="bare" aria-label="Close requests and answers" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <p className={styles.note}>
        What this application sends as you click. <a href="/docs">Reference</a>
        <button type="button" className="link" onClick={recorder.clear}>
          Clear
        </button>
      </p>
      {exchanges.length === 0 ? (
        <p className={styles.note}>Nothing yet: click something.</p>
      ) : (
        <ul className={styles.exchanges}>
          {exchanges.map((exchange) => (
            <li key={exchange.id}>
              <ExchangeLine exchange={exchange} representation={representation} />
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}

function ExchangeLine({ exchange, representation }: { exchange: Exchange; representation: Representation }) {
  const [isOpen, setOpen] = useState(false)
  const { method, address, status, milliseconds, failure, isStream } = exchange
  const [path = '', query] = address.split('?', 2)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={`${styles.method} ${COLOURS[method] ?? ''}`}>{method}</span>
        <span className={styles.address}>
          {path}
          {query !== undefined && <span className="quiet">?{query}</span>}
        </span>
        <span className={`${styles.status} ${statusClass(exchange)}`}>
          {status ?? (failure === undefined ? '…' : 'failed')}
        </span>
        <span className={styles.took}>
          {isStream ? 'stream' : milliseconds === undefined ? '' : `${milliseconds} ms`}
        </span>
      </summary>
      {isOpen && <ExchangeDetails exchange={exchange} representation={representation} />}
    </details>
  )
}

/** A fault of a wallet comes with status 200. */
function statusClass({ status, failure, body }: Exchange): string {
  if (failure !== undefined) return 'bad'
  if (status === undefined) return 'waiting'
  return status >= 400 || body?.startsWith('{"whoFaults"') ? 'bad' : 'good'
}
