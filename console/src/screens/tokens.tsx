import { useState } from 'react'
import type { Page } from '../api.ts'
import { useAsyncAction } from '../async-action.ts'
import { Badge, DateTime, Field, OneTimeSecret, Progress, RevocationBadge, ScreenHeader } from '../parts/basics.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useNotice } from '../parts/notices.tsx'
import { Problem } from '../parts/problem.tsx'
import { useResource } from '../resource.ts'
import { usePermission, useSession } from '../session.tsx'

type Token = {
  id: string
  name: string
  role: string
  owner: string | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}
type NewToken = { name: string; token: string }

const ROLES = [
  { role: 'moderator', may: 'the queue and decisions' },
  { role: 'auditor', may: 'reads everything' },
  { role: 'feed', may: 'sports, events, bets and settlements' },
  { role: 'accounts', may: 'customers, cards and tickets' },
  { role: 'admin', may: 'everything' },
]

const LIFETIMES = [
  { days: '30', label: '30 days' },
  { days: '90', label: '90 days' },
  { days: '365', label: 'a year' },
  { days: '', label: 'until it is revoked' },
]
const DAY_MS = 86_400_000

export function TokensScreen() {
  const may = usePermission()
  const { answer, refusal, loading, reload } = useResource<Page<Token>>('/tokens')
  const [made, setMade] = useState<NewToken | null>(null)
  return (
    <>
      <ScreenHeader title="Tokens" />
      <p className="lead">
        Who may use this console and the operator API. The audit trail knows people by these names.
      </p>
      {made && (
        <OneTimeSecret title={`Token of ${made.name}`} values={{ Token: made.token }} onDone={() => setMade(null)} />
      )}
      {may('POST /tokens') && (
        <TokenForm
          onMade={(token) => {
            setMade(token)
            reload()
          }}
        />
      )}
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress />}
      {answer !== undefined && <TokenTable items={answer.items} onRevoked={reload} />}
    </>
  )
}

function TokenForm({ onMade }: { onMade: (token: NewToken) => void }) {
  const { api } = useSession()
  const [name, setName] = useState('')
  const [role, setRole] = useState('moderator')
  const [owner, setOwner] = useState('')
  const [days, setDays] = useState('90')
  const { busy, refusal, run } = useAsyncAction()
  return (
    <form
      className="panel inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(async () => {
          const expiry = days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }
          const answerable = owner.trim() === '' ? {} : { owner: owner.trim() }
          onMade(await api<NewToken>('POST', '/tokens', { name: name.trim(), role, ...answerable, ...expiry }))
          setName('')
          setOwner('')
        })
      }}
    >
      <Field label="Name of a new token">
        {(ids) => (
          <input {...ids} required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label="Role">
        {(ids) => (
          <select {...ids} value={role} onChange={(event) => setRole(event.target.value)}>
            {ROLES.map((one) => (
              <option key={one.role} value={one.role}>
                {one.role}: {one.may}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Owner: who answers for it">
        {(ids) => <input {...ids} maxLength={100} value={owner} onChange={(event) => setOwner(event.target.value)} />}
      </Field>
      <Field label="Valid for">
        {(ids) => (
          <select {...ids} value={days} onChange={(event) => setDays(event.target.value)}>
            {LIFETIMES.map((one) => (
              <option key={one.days} value={one.days}>
                {one.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" className="primary" aria-disabled={busy}>
        Make
      </button>
      {refusal && <Problem refusal={refusal} />}
    </form>
  )
}

function TokenTable({ items, onRevoked }: { items: Token[]; onRevoked: () => void }) {
  if (items.length === 0) {
    return <p className="quiet">Only the bootstrap token, which is in the settings. Make one for each person.</p>
  }
  return (
    <DataTable
      label="Tokens"
      columns={['Name', 'Role', 'Owner', 'Made', 'Last used', 'Expires', 'State', 'Actions']}
      rows={items.map((one) => ({
        key: one.id,
        cells: [
          one.name,
          one.role,
          one.owner,
          <DateTime key="made" at={one.createdAt} />,
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
  const [asked, setAsked] = useState(false)
  const { busy, refusal, run } = useAsyncAction()

  async function revoke(): Promise<void> {
    setAsked(false)
    await run(async () => {
      await api('DELETE', `/tokens/${token.id}`)
      notify(`The token of ${token.name} is revoked.`)
      onRevoked()
    })
  }

  if (!may('DELETE /tokens/{id}')) return null
  return (
    <>
      <button type="button" aria-disabled={busy} onClick={() => setAsked(true)} aria-label={`Revoke ${token.name}`}>
        Revoke
      </button>
      {refusal && <Problem refusal={refusal} />}
      {asked && (
        <Confirm
          title={`Revoke the token of ${token.name}?`}
          action="Revoke"
          onConfirm={revoke}
          onCancel={() => setAsked(false)}
        >
          <p>It stops working at once. This cannot be taken back; a new token can be made.</p>
        </Confirm>
      )}
    </>
  )
}
