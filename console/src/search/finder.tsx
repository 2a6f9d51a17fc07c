import { useState } from 'react'
import { openRoute } from '../../../web/route.ts'
import { SelectField, TextField } from '../parts/fields.tsx'
import { usePermission } from '../sign-in/session.tsx'
import styles from './finder.module.css'

const SEARCHABLE = [
  { route: 'profiles', label: 'Profile', call: 'getModeratedProfile' },
  { route: 'comments', label: 'Tip', call: 'getModeratedComment' },
  { route: 'customers', label: 'Customer', call: 'getCustomer' },
  { route: 'deposits', label: 'Deposit', call: 'getDeposit' },
] as const

export const FINDER_CALLS = SEARCHABLE.map(({ call }) => call)

/** Opens anything by its id. */
export function Finder() {
  const may = usePermission()
  const offered = SEARCHABLE.filter(({ call }) => may(call))
  const [route, setRoute] = useState<string>(offered[0]?.route ?? '')
  const [id, setId] = useState('')
  return (
    <search>
      <form
        className={styles.finder}
        onSubmit={(event) => {
          event.preventDefault()
          if (id.trim() !== '') openRoute(route, id.trim())
        }}
      >
        <SelectField
          label="Type"
          value={route}
          onChange={setRoute}
          options={offered.map((one) => ({ value: one.route, label: one.label }))}
        />
        <TextField
          label="ID"
          value={id}
          onChange={setId}
          autoComplete="off"
          inputMode={route === 'deposits' ? 'text' : 'numeric'}
        />
        <button type="submit" className="primary">
          Open
        </button>
      </form>
    </search>
  )
}
