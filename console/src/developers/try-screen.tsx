import { useState } from 'react'
import type { PublicOperation } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { TextField } from '../parts/fields.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { TryForm } from './try-form.tsx'
import styles from './try-screen.module.css'

/** `first`: the name of the operation that is chosen at first. Another one is no other address, because that would clear the secret. */
export function TryScreen({ apiKey, first }: { apiKey: string; first: string | null }) {
  const described = useResource('listPublicOperations', { apiKey })
  const [chosen, setChosen] = useState(first)
  const [secret, setSecret] = useState('')
  const [ticket, setTicket] = useState<string | null>(null)
  return (
    <>
      <ScreenHeader title="Try it">
        <a className="button" href={linkTo('applications', apiKey)}>
          Requests
        </a>
      </ScreenHeader>
      <p className="lead">
        Requests to the public API with the key of {described.answer?.application ?? 'the application'} (
        <code>{apiKey}</code>). They are sent as if by it: they count towards its limits, and what they change stays
        changed. <a href={linkTo('applications')}>All applications</a>
      </p>
      <ResourceView resource={described}>
        {({ items, origin, ticket: sample }) => {
          const operation = items.find(({ name }) => name === chosen) ?? items[0]
          const credentials = { apiKey, secret: secret.trim(), ticket: (ticket ?? sample ?? '').trim() }
          return (
            <>
              <div className="panel inline">
                <TextField
                  label="Secret of the application"
                  hint="Stays in this page: reloading it clears the field."
                  type="password"
                  value={secret}
                  onChange={setSecret}
                  autoComplete="off"
                />
                <TextField
                  label="Ticket of a customer"
                  hint="Sent with operations that read it."
                  value={ticket ?? sample ?? ''}
                  onChange={setTicket}
                  autoComplete="off"
                  spellCheck={false}
                />
              </div>
              <div className={styles.parts}>
                <OperationList items={items} chosen={operation?.name} onChoose={setChosen} />
                {operation !== undefined && <TryForm key={operation.name} {...{ operation, origin, credentials }} />}
              </div>
            </>
          )
        }}
      </ResourceView>
    </>
  )
}

type ListProps = {
  items: readonly PublicOperation[]
  chosen: string | undefined
  onChoose: (name: string) => void
}

function OperationList({ items, chosen, onChoose }: ListProps) {
  const [q, setQ] = useState('')
  const words = q.toLowerCase().split(/\s+/)
  const found = items.filter(({ name, summary, method, path }) => {
    const text = `${name} ${method} ${path} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return (
    <section className={styles.operations} aria-label="Operations">
      <TextField label="Search operations" type="search" value={q} onChange={setQ} autoComplete="off" />
      <p className="hint" role="status">
        {q.trim() === '' ? `${items.length} operations` : `${found.length} found`}
      </p>
      <ul>
        {found.map(({ name, method }) => (
          <li key={name}>
            <button type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
              {name} <span className="quiet">{method}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
