import { useState } from 'react'
import type { Application, NewSecret } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { ActionButton, ActionForm } from '../parts/action.tsx'
import { DateTime, RevocationBadge, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { TextField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { OneTimeSecret } from '../parts/one-time-secret.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { ReturnAddresses } from './return-addresses.tsx'

const DAY_SECONDS = 86_400

/** `secretOf`: the key of an application that is to get a new secret. */
export function ApplicationsScreen({ secretOf }: { secretOf: string | null }) {
  const may = usePermission()
  const applications = useResource('listApplications')
  const [secret, setSecret] = useState<NewSecret | null>(null)

  function show(created: NewSecret): void {
    setSecret(created)
    applications.reload()
  }

  return (
    <>
      <ScreenHeader title="Applications" />
      <p className="lead">Applications that may call the public API. Each has a public key and a secret.</p>
      {secret && (
        <OneTimeSecret
          title="Application secret"
          values={{ 'API key': secret.apiKey, Secret: secret.secret }}
          onDone={() => setSecret(null)}
        />
      )}
      {may('createApplication') && <ApplicationForm onCreated={show} />}
      <ResourceView resource={applications}>
        {({ items }) => (
          <ApplicationTable items={items} secretOf={secretOf} onSecret={show} onRevoked={applications.reload} />
        )}
      </ResourceView>
    </>
  )
}

function ApplicationForm({ onCreated }: { onCreated: (secret: NewSecret) => void }) {
  const { api } = useSession()
  const [name, setName] = useState('')

  async function create(): Promise<void> {
    onCreated(await api('createApplication', { body: { name: name.trim() } }))
    setName('')
  }

  return (
    <ActionForm className="panel inline" action={create}>
      {(busy) => (
        <>
          <TextField label="Name of the new application" value={name} onChange={setName} required maxLength={100} />
          <button type="submit" className="primary" aria-disabled={busy}>
            Create
          </button>
        </>
      )}
    </ActionForm>
  )
}

type TableProps = {
  items: readonly Application[]
  secretOf: string | null
  onSecret: (secret: NewSecret) => void
  onRevoked: () => void
}

function ApplicationTable({ items, secretOf, onSecret, onRevoked }: TableProps) {
  return (
    <DataTable
      label="Applications"
      columns={['Name', 'API key', 'Return addresses', 'Created', 'State', 'Actions']}
      rows={items.map((one) => ({
        key: one.apiKey,
        cells: [
          one.name,
          <code key="key">{one.apiKey}</code>,
          <ReturnAddresses key="return" one={one} onChanged={onRevoked} />,
          <DateTime key="created" at={one.createdAt} />,
          <RevocationBadge key="state" revokedAt={one.revokedAt} />,
          <div key="do" className="buttons">
            <RequestsLink one={one} />
            <TryLink one={one} />
            {one.revokedAt === null && (
              <RowActions one={one} secretOf={secretOf} onSecret={onSecret} onRevoked={onRevoked} />
            )}
          </div>,
        ],
      }))}
    />
  )
}

function RequestsLink({ one }: { one: Application }) {
  if (!usePermission()('listApplicationRequests')) return null
  return (
    <a className="button" href={linkTo('applications', one.apiKey)} aria-label={`Requests of ${one.name}`}>
      Requests
    </a>
  )
}

function TryLink({ one }: { one: Application }) {
  if (!usePermission()('replaceApplicationSecret') || one.revokedAt !== null) return null
  return (
    <a
      className="button"
      href={`try#key=${encodeURIComponent(one.apiKey)}`}
      aria-label={`Try it with the key of ${one.name}`}
    >
      Try it
    </a>
  )
}

function RowActions({ one, secretOf, onSecret, onRevoked }: { one: Application } & Omit<TableProps, 'items'>) {
  const { api } = useSession()
  const may = usePermission()
  const notify = useNotice()
  const { apiKey } = one

  async function replaceSecret(): Promise<void> {
    onSecret(await api('replaceApplicationSecret', { apiKey, body: { graceSeconds: DAY_SECONDS } }))
  }

  async function revoke(): Promise<void> {
    await api('revokeApplication', { apiKey })
    notify(`${one.name} is revoked. This takes effect within 5 seconds.`)
    onRevoked()
  }

  return (
    <>
      {may('replaceApplicationSecret') && (
        <ActionButton
          action={replaceSecret}
          startsOpen={secretOf === apiKey}
          label={`New secret for ${one.name}`}
          confirmation={{
            title: `New secret for ${one.name}?`,
            action: 'Create new secret',
            text: 'The current secret stays valid for 24 hours, so that you can switch the application to the new one.',
          }}
        >
          New secret
        </ActionButton>
      )}
      {may('revokeApplication') && (
        <ActionButton
          action={revoke}
          label={`Revoke ${one.name}`}
          confirmation={{
            title: `Revoke ${one.name}?`,
            action: 'Revoke',
            isDangerous: true,
            text: 'All its requests will be refused. This cannot be undone.',
          }}
        >
          Revoke
        </ActionButton>
      )}
    </>
  )
}
