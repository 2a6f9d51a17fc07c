import { useState } from 'react'
import type { Application } from '../../../src/operator/api-types.ts'
import { ActionForm } from '../parts/action.tsx'
import { TextField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'

type Props = { one: Application; onChanged: () => void }

/** Where issuers may send the application's customers back to (3-D Secure). */
export function ReturnAddresses({ one, onChanged }: Props) {
  const may = usePermission()
  const [isOpen, setOpen] = useState(false)
  const mayChange = one.revokedAt === null && may('putReturnAddresses')
  const close = () => setOpen(false)
  if (isOpen) {
    const saved = () => {
      close()
      onChanged()
    }
    return <AddressForm one={one} onChanged={saved} onCancel={close} />
  }
  return (
    <div>
      {one.returnAddresses.length === 0 && <span className="quiet">none</span>}
      {one.returnAddresses.map((address) => (
        <div key={address}>
          <code>{address}</code>
        </div>
      ))}
      {mayChange && (
        <button type="button" aria-label={`Change return addresses of ${one.name}`} onClick={() => setOpen(true)}>
          Change
        </button>
      )}
    </div>
  )
}

function AddressForm({ one, onChanged, onCancel }: Props & { onCancel: () => void }) {
  const { api } = useSession()
  const notify = useNotice()
  const [text, setText] = useState(one.returnAddresses.join(' '))

  async function save(): Promise<void> {
    const returnAddresses = text.split(/[\s,]+/).filter((address) => address !== '')
    await api('putReturnAddresses', { apiKey: one.apiKey, body: { returnAddresses } })
    notify(`The return addresses of ${one.name} are saved.`)
    onChanged()
  }

  return (
    <ActionForm className="inline" action={save}>
      {(busy) => (
        <>
          <TextField label={`Return addresses of ${one.name}, separated by spaces`} value={text} onChange={setText} />
          <button type="submit" className="primary" aria-disabled={busy}>
            Save
          </button>
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        </>
      )}
    </ActionForm>
  )
}
