import { useState } from 'react'
import { asRefusal, type Refusal } from '../api/api.ts'
import { useResource } from '../api/resource.ts'
import { Progress, ScreenHeader } from '../parts/basics.tsx'
import { TextField } from '../parts/fields.tsx'
import { Problem } from '../parts/problem.tsx'
import { useSession } from '../sign-in/session.tsx'
import { Finder } from './finder.tsx'
import { GROUP_TITLES, linkOf, type SearchGroup, searchLink } from './results.ts'
import styles from './search-screen.module.css'

export function SearchScreen({ q }: { q: string }) {
  const [typed, setTyped] = useState(q)
  const { answer, refusal, loading, reload } = useResource(q === '' ? null : 'searchAll', { query: { q } })
  return (
    <>
      <ScreenHeader title="Search" />
      <search>
        <form
          className="panel inline"
          onSubmit={(event) => {
            event.preventDefault()
            if (typed.trim() !== '') location.hash = searchLink(typed.trim())
          }}
        >
          <TextField
            label="Search for"
            aria-describedby="search-hint"
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            maxLength={100}
            type="search"
          />
          <button type="submit" className="primary">
            Search
          </button>
          <p id="search-hint" className={`hint ${styles.hint}`}>
            A name, words of a text, an ID, a payment ID or gateway reference, an amount such as 25.00 or £25, the last
            four digits of a card.
          </p>
        </form>
      </search>
      {loading && answer === undefined && <Progress label="Searching" />}
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer?.groups.length === 0 && <p className="empty">Nothing found for “{q}”.</p>}
      {answer?.groups.map((group) => (
        <Results key={group.kind} q={q} group={group} />
      ))}
      <h2>Open by ID</h2>
      <div className="panel">
        <Finder />
      </div>
    </>
  )
}

function Results({ q, group }: { q: string; group: SearchGroup }) {
  const { api } = useSession()
  const [shown, setShown] = useState<Pick<SearchGroup, 'items' | 'cursor'>>(group)
  const [loading, setLoading] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const titleId = `results-${group.kind}`

  async function loadNext(cursor: string): Promise<void> {
    if (loading) return
    setLoading(true)
    setRefusal(undefined)
    try {
      const { groups } = await api('searchAll', { query: { q, kind: group.kind, cursor } })
      const next = groups[0] ?? { items: [], cursor: null }
      setShown({ items: [...shown.items, ...next.items], cursor: next.cursor })
    } catch (error) {
      setRefusal(asRefusal(error))
    }
    setLoading(false)
  }

  const { cursor } = shown
  return (
    <section aria-labelledby={titleId} className={styles.searchGroup}>
      <h2 id={titleId}>{GROUP_TITLES[group.kind]}</h2>
      <ul>
        {shown.items.map((item) => (
          <li key={item.id}>
            <a href={linkOf(item)}>{item.title}</a>
            <span className="quiet">{item.detail}</span>
          </li>
        ))}
      </ul>
      {refusal && <Problem refusal={refusal} />}
      {cursor !== null && (
        <button type="button" onClick={() => loadNext(cursor)} aria-disabled={loading}>
          {loading ? 'Loading …' : `More ${GROUP_TITLES[group.kind].toLowerCase()}`}
        </button>
      )}
    </section>
  )
}
