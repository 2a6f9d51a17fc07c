import { useState } from 'react'
import { openRoute } from '../route.ts'
import { usePermission } from '../session.tsx'
import { Field } from './basics.tsx'

const SEARCHABLE = [
  { route: 'profiles', label: 'Profile', call: 'GET /moderation/profiles/{id}' },
  { route: 'comments', label: 'Comment', call: 'GET /moderation/comments/{id}' },
  { route: 'customers', label: 'Customer', call: 'GET /customers/{id}' },
  { route: 'deposits', label: 'Deposit', call: 'GET /deposits/{paymentId}' },
]

export const FINDER_CALLS = SEARCHABLE.map(({ call }) => call)

/** Opens anything by its id. */
export function Finder({ kind }: { kind?: string }) {
  const may = usePermission()
  const offered = SEARCHABLE.filter(({ call }) => may(call))
  const [route, setRoute] = useState(kind ?? offered[0]?.route ?? '')
  const [id, setId] = useState('')
  return (
    <search>
      <form
        className="finder"
        onSubmit={(event) => {
          event.preventDefault()
          if (id.trim() !== '') openRoute(route, id.trim())
        }}
      >
        <Field label="Find a">
          {(ids) => (
            <select {...ids} value={route} onChange={(event) => setRoute(event.target.value)}>
              {offered.map((one) => (
                <option key={one.route} value={one.route}>
                  {one.label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="with the id">
          {(ids) => (
            <input
              {...ids}
              value={id}
              autoComplete="off"
              inputMode={route === 'deposits' ? 'text' : 'numeric'}
              onChange={(event) => setId(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="primary">
          Open
        </button>
      </form>
    </search>
  )
}
