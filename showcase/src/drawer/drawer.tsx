// Each HTTP request and answer as it is made, newest first: a developer learns the API by clicking.

import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from '../../../web/icons.tsx'
import { Segments } from '../parts/tabs.tsx'
import { type Exchange, recorder } from '../recorder.ts'
import styles from './drawer.module.css'
import { ExchangeDetails, type Representation } from './exchange-details.tsx'
import { Method, Status } from './exchange-status.tsx'
import { type Group, groupsOf, pathOf } from './groups.ts'

const REPRESENTATIONS = [
  { value: 'json', label: 'JSON' },
  { value: 'xml', label: 'XML' },
] as const

export default function Drawer({ close }: { close(): void }) {
  const exchanges = useSyncExternalStore(recorder.subscribe, recorder.snapshot)
  const [representation, setRepresentation] = useState<Representation>('json')
  useEscape(close)
  return (
    <aside className={styles.drawer} aria-labelledby="drawer-title">
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
          {groupsOf(exchanges).map((group) => (
            <li key={group.key}>
              <GroupLine group={group} representation={representation} />
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}

/** Wherever the focus is: on a phone it stays on the button that opened the drawer. A dialog above it closes first. */
function useEscape(close: () => void): void {
  useEffect(() => {
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) close()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [close])
}

/** The exchange that was opened stays, however many follow. */
function GroupLine({ group: { exchanges }, representation }: { group: Group; representation: Representation }) {
  const [openId, setOpenId] = useState<number>()
  const [newest] = exchanges
  const opened = openId === undefined ? undefined : (exchanges.find(({ id }) => id === openId) ?? newest)
  return (
    <details
      open={opened !== undefined}
      onToggle={({ currentTarget }) => setOpenId(currentTarget.open ? (opened ?? newest).id : undefined)}
    >
      <summary>
        <Method method={newest.method} />
        <span className={styles.address}>
          {pathOf(newest)}
          {opened !== undefined && <Query exchange={opened} />}
        </span>
        {exchanges.length > 1 && (
          <span className={styles.times}>
            × {exchanges.length}
            <span className="hidden-text"> times</span>
          </span>
        )}
        <Status exchange={newest} />
      </summary>
      {opened !== undefined && (
        <>
          {exchanges.length > 1 && <Repeats exchanges={exchanges} opened={opened} choose={setOpenId} />}
          <ExchangeDetails key={opened.id} exchange={opened} representation={representation} />
        </>
      )}
    </details>
  )
}

function Query({ exchange: { address } }: { exchange: Exchange }) {
  const [, query] = address.split('?', 2)
  return query === undefined ? null : <span className="quiet">?{query}</span>
}

type RepeatsProps = { exchanges: readonly Exchange[]; opened: Exchange; choose(id: number): void }

/** Which of the repetitions is shown. */
function Repeats({ exchanges, opened, choose }: RepeatsProps) {
  return (
    <fieldset className={styles.repeats} aria-label="Repetitions, newest first">
      {exchanges.map((exchange) => (
        <button
          key={exchange.id}
          type="button"
          aria-pressed={exchange.id === opened.id}
          onClick={() => choose(exchange.id)}
        >
          <Status exchange={exchange} />
        </button>
      ))}
    </fieldset>
  )
}
