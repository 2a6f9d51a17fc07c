import { useState } from 'react'
import { useRoute } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { ActionButton, ActionForm } from './action.tsx'
import { TextField } from './fields.tsx'
import { useNotice } from './notices.tsx'
import styles from './saved-views.module.css'

const MAX_NAME = 60

/** The saved views of a page, whose address holds its filters: a link to each, and a form that saves what is open. */
export function SavedViews({ page }: { page: string }) {
  const may = usePermission()
  const { text } = useRoute()
  const { answer, reload } = useResource(may('listViews') ? 'listViews' : null)
  const [naming, setNaming] = useState(false)
  if (!may('listViews')) return null
  // Shown before the views are there: what is below must not move.
  const views = (answer?.items ?? []).filter(({ address }) => address.split(/[?/]/)[0] === page)
  const open = views.find(({ address }) => address === text)
  return (
    <div className={styles.views}>
      {views.length > 0 && (
        <nav aria-label="Saved views" className="chips">
          {views.map(({ id, name, address, shared, owner }) => (
            <a
              key={id}
              href={`#/${address}`}
              aria-current={address === text ? 'page' : undefined}
              title={shared ? `Shared by ${owner}` : 'Only you see it'}
            >
              {name}
            </a>
          ))}
        </nav>
      )}
      {open && <DeleteView view={open} onDeleted={reload} />}
      {!open && !naming && may('saveView') && (
        <button type="button" onClick={() => setNaming(true)}>
          Save view …
        </button>
      )}
      {naming && (
        <NewView
          address={text}
          onEnd={(saved) => {
            setNaming(false)
            if (saved) reload()
          }}
        />
      )}
    </div>
  )
}

function NewView({ address, onEnd }: { address: string; onEnd: (saved: boolean) => void }) {
  const { api } = useSession()
  const notify = useNotice()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)

  async function save(): Promise<void> {
    await api('saveView', { body: { name: name.trim(), address, shared } })
    notify(`Saved as “${name.trim()}”.`)
    onEnd(true)
  }

  return (
    <ActionForm action={save} className={`inline narrow ${styles.form}`}>
      {(busy) => (
        <>
          <TextField
            label="Name of the view"
            value={name}
            onChange={setName}
            required
            maxLength={MAX_NAME}
            autoComplete="off"
            autoFocus
          />
          <label className="check">
            <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} /> Share with
            all operators
          </label>
          <button type="submit" className="primary" disabled={busy || name.trim() === ''}>
            Save
          </button>
          <button type="button" onClick={() => onEnd(false)}>
            Cancel
          </button>
        </>
      )}
    </ActionForm>
  )
}

type OpenView = { id: string; name: string; shared: boolean; owner: string }

function DeleteView({ view, onDeleted }: { view: OpenView; onDeleted: () => void }) {
  const { api, me } = useSession()
  const may = usePermission()
  const notify = useNotice()
  const { id, name, shared, owner } = view
  const isOffered = may('deleteView') && (owner === me.name || (shared && me.role === 'admin'))
  if (!isOffered) return null
  const confirmation = {
    title: `Delete the view “${name}”?`,
    action: 'Delete view',
    isDangerous: true,
    text: shared ? 'It disappears for all operators. What it shows stays.' : 'What it shows stays.',
  }

  async function remove(): Promise<void> {
    await api('deleteView', { id })
    notify(`The view “${name}” is deleted.`)
    onDeleted()
  }

  return (
    <ActionButton action={remove} confirmation={confirmation}>
      Delete view …
    </ActionButton>
  )
}
