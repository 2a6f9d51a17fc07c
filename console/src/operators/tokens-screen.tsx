import { useState } from 'react'
import type { CreatedToken, NewToken, Token } from '../../../src/operator/api-types.ts'
import { ROLES, roleText } from '../../../web/words/roles.ts'
import { useResource } from '../api/resource.ts'
import { ActionButton, ActionForm } from '../parts/action.tsx'
import { Badge, DateTime, RevocationBadge, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { OneTimeSecret } from '../parts/one-time-secret.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'

const OPTIONS = Object.entries(ROLES).map(([value, { name, may }]) => ({
  value: value as NewToken['role'],
  label: `${name}: ${may}`,
}))

/** In days; '' never expires. */
const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'until revoked' },
]
const DAY_MS = 86_400_000

export function TokensScreen() {
  const may = usePermission()
  const tokens = useResource('listTokens')
  const [created, setCreated] = useState<CreatedToken | null>(null)

  function show(token: CreatedToken): void {
    setCreated(token)
    tokens.reload()
  }

  return (
    <>
      <ScreenHeader title="Tokens" />
      <p className="lead">
        Tokens give access to this console and the operator API. The audit trail records them by name. Where two persons
        decide about money, a token counts as its owner, or as whoever created it if that was a person.
      </p>
      {created && (
        <OneTimeSecret
          title={`Token of ${created.name}`}
          values={{ Token: created.token }}
          onDone={() => setCreated(null)}
        />
      )}
      {may('createToken') && <TokenForm onCreated={show} />}
      <ResourceView resource={tokens}>
        {({ items }) => <TokenTable items={items} onRevoked={tokens.reload} />}
      </ResourceView>
    </>
  )
}

function TokenForm({ onCreated }: { onCreated: (token: CreatedToken) => void }) {
  const { api } = useSession()
  const [name, setName] = useState('')
  const [role, setRole] = useState<NewToken['role']>('moderator')
  const [owner, setOwner] = useState('')
  const [days, setDays] = useState('90')

  async function create(): Promise<void> {
    const body = {
      name: name.trim(),
      role,
      ...(owner.trim() === '' ? {} : { owner: owner.trim() }),
      ...(days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    }
    onCreated(await api('createToken', { body }))
    setName('')
    setOwner('')
  }

  return (
    <ActionForm className="panel inline" action={create}>
      {(busy) => (
        <>
          <TextField label="Name of the new token" value={name} onChange={setName} required maxLength={100} />
          <SelectField label="Role" value={role} onChange={setRole} options={OPTIONS} />
          <TextField label="Owner (who is responsible for it)" value={owner} onChange={setOwner} maxLength={100} />
          <SelectField label="Valid for" value={days} onChange={setDays} options={LIFETIMES} />
          <button type="submit" className="primary" aria-disabled={busy}>
            Create
          </button>
        </>
      )}
    </ActionForm>
  )
}

function TokenTable({ items, onRevoked }: { items: readonly Token[]; onRevoked: () => void }) {
  if (items.length === 0) {
    return (
      <p className="quiet">No tokens yet besides the bootstrap token from the settings. Create one for each person.</p>
    )
  }
  return (
    <DataTable
      label="Tokens"
      columns={['Name', 'Role', 'Owner', 'Created', 'Last used', 'Expires', 'State', 'Actions']}
      rows={items.map((one) => ({
        key: one.id,
        cells: [
          one.name,
          roleText(one.role),
          one.owner,
          <span key="created">
            <DateTime at={one.createdAt} />
            {one.createdBy !== null && ` by ${one.createdBy}`}
          </span>,
          <DateTime key="used" at={one.lastUsedAt} />,
          <DateTime key="expires" at={one.expiresAt} />,
          isExpired(one) ? (
            <Badge key="state">expired</Badge>
          ) : (
            <RevocationBadge key="state" revokedAt={one.revokedAt} />
          ),
          one.revokedAt === null && <Revoke key="do" token={one} onRevoked={onRevoked} />,
        ],
      }))}
    />
  )
}

function isExpired({ expiresAt, revokedAt }: Token): boolean {
  return revokedAt === null && expiresAt !== null && Date.parse(expiresAt) <= Date.now()
}

function Revoke({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const { api } = useSession()
  const may = usePermission()
  const notify = useNotice()

  async function revoke(): Promise<void> {
    await api('revokeToken', { id: token.id })
    notify(`The token of ${token.name} is revoked.`)
    onRevoked()
  }

  if (!may('revokeToken')) return null
  return (
    <ActionButton
      action={revoke}
      label={`Revoke ${token.name}`}
      confirmation={{
        title: `Revoke the token of ${token.name}?`,
        action: 'Revoke',
        isDangerous: true,
        text: 'It stops working at once. This cannot be undone, but you can create a new token.',
      }}
    >
      Revoke
    </ActionButton>
  )
}
