import { useState } from 'react'
import type { Page } from '../api.ts'
import { useAsyncAction } from '../async-action.ts'
import { DateTime, Field, OneTimeSecret, Progress, RevocationBadge, ScreenHeader } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { useResource } from '../resource.ts'
import { usePermission, useSession } from '../session.tsx'

type Application = {
  apiKey: string
  name: string
  rateLimit: { perSecond: number | null; perMinute: number | null }
  createdAt: string
  revokedAt: string | null
}
type Secret = { apiKey: string; secret: string }

const A_DAY = 86_400

export function ApplicationsScreen() {
  const may = usePermission()
  const { answer, refusal, loading, reload } = useResource<Page<Application>>('/applications')
  const [secret, setSecret] = useState<Secret | null>(null)

  function show(made: Secret): void {
    setSecret(made)
    reload()
  }

  return (
    <>
      <ScreenHeader title="Applications" />
      <p className="lead">Who may call the public API. Each has a key, which is no secret, and a secret.</p>
      {secret && (
        <OneTimeSecret
          title="The application’s secret"
          values={{ 'API key': secret.apiKey, Secret: secret.secret }}
          onDone={() => setSecret(null)}
        />
      )}
      {may('POST /applications') && <NewApplication onMade={show} />}
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && <ApplicationTable items={answer.items} onSecret={show} onRevoked={reload} />}
    </>
  )
}

function NewApplication({ onMade }: { onMade: (secret: Secret) => void }) {
  const { api } = useSession()
  const [name, setName] = useState('')
  const { busy, refusal, run } = useAsyncAction()
  return (
    <form
      className="panel inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(async () => {
          onMade(await api<Secret>('POST', '/applications', { name: name.trim() }))
          setName('')
        })
      }}
    >
      <Field label="Name of a new application">
        {(ids) => (
          <input {...ids} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <button type="submit" className="primary" aria-disabled={busy}>
        Make
      </button>
      {refusal && <Problem refusal={refusal} />}
    </form>
  )
}

type TableProps = { items: Application[]; onSecret: (secret: Secret) => void; onRevoked: () => void }

function ApplicationTable({ items, onSecret, onRevoked }: TableProps) {
  return (
    <DataTable
      label="Applications"
      columns={['Name', 'API key', 'Made', 'State', 'Actions']}
      rows={items.map((one) => ({
        key: one.apiKey,
        cells: [
          one.name,
          <code key="key">{one.apiKey}</code>,
          <DateTime key="made" at={one.createdAt} />,
          <RevocationBadge key="state" revokedAt={one.revokedAt} />,
          one.revokedAt === null && <RowActions key="do" one={one} onSecret={onSecret} onRevoked={onRevoked} />,
        ],
      }))}
    />
  )
}

function RowActions({ one, onSecret, onRevoked }: { one: Application } & Omit<TableProps, 'items'>) {
  const { api } = useSession()
  const may = usePermission()
  const notify = useNotice()
  const [asked, setAsked] = useState<'secret' | 'revoke' | null>(null)
  const { busy, refusal, run } = useAsyncAction()
  const path = `/applications/${encodeURIComponent(one.apiKey)}`

  async function newSecret(): Promise<void> {
    setAsked(null)
    await run(async () => onSecret(await api<Secret>('POST', `${path}/secret`, { graceSeconds: A_DAY })))
  }

  async function revoke(): Promise<void> {
    setAsked(null)
    await run(async () => {
      await api('DELETE', path)
      notify(`${one.name} is revoked; every process refuses it within 5 seconds.`)
      onRevoked()
    })
  }

  return (
    <div className="buttons">
      {may('POST /applications/{apiKey}/secret') && (
        <button
          type="button"
          aria-disabled={busy}
          onClick={() => setAsked('secret')}
          aria-label={`New secret for ${one.name}`}
        >
          New secret
        </button>
      )}
      {may('DELETE /applications/{apiKey}') && (
        <button type="button" aria-disabled={busy} onClick={() => setAsked('revoke')} aria-label={`Revoke ${one.name}`}>
          Revoke
        </button>
      )}
      {refusal && <Problem refusal={refusal} />}
      {asked === 'secret' && (
        <Confirm
          title={`New secret for ${one.name}?`}
          action="Make a new secret"
          onConfirm={newSecret}
          onCancel={() => setAsked(null)}
        >
          <p>The present secret stays valid for 24 hours, so that the application can be given the new one.</p>
        </Confirm>
      )}
      {asked === 'revoke' && (
        <Confirm title={`Revoke ${one.name}?`} action="Revoke" onConfirm={revoke} onCancel={() => setAsked(null)}>
          <p>All its calls are refused from then on. This cannot be taken back.</p>
        </Confirm>
      )}
    </div>
  )
}
