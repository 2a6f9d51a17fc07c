import { useState } from 'react'
import type { CreatedWebhook, Webhook } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { ActionForm } from '../parts/action.tsx'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { TextField } from '../parts/fields.tsx'
import { OneTimeSecret } from '../parts/one-time-secret.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { type EventKind, EventKinds, kindsInWords } from './event-kinds.tsx'

export function WebhooksScreen() {
  const may = usePermission()
  const webhooks = useResource('listWebhooks')
  const [created, setCreated] = useState<CreatedWebhook | null>(null)

  function show(webhook: CreatedWebhook): void {
    setCreated(webhook)
    webhooks.reload()
  }

  return (
    <>
      <ScreenHeader title="Webhooks" />
      <p className="lead">
        Addresses that events are sent to as they happen, signed according to the Standard Webhooks specification.
      </p>
      {created && (
        <OneTimeSecret
          title={`Secret of ${created.url}`}
          text="Copy it now, for the receiver to verify signatures: it cannot be shown again."
          values={{ Secret: created.secret }}
          onDone={() => setCreated(null)}
        />
      )}
      {may('createWebhook') && <WebhookForm onCreated={show} />}
      <ResourceView resource={webhooks}>{({ items }) => <WebhookTable items={items} />}</ResourceView>
    </>
  )
}

function WebhookForm({ onCreated }: { onCreated: (webhook: CreatedWebhook) => void }) {
  const { api } = useSession()
  const [url, setUrl] = useState('')
  const [kinds, setKinds] = useState<EventKind[]>([])

  async function create(): Promise<void> {
    const body = { url: url.trim(), ...(kinds.length === 0 ? {} : { kinds }) }
    onCreated(await api('createWebhook', { body }))
    setUrl('')
    setKinds([])
  }

  return (
    <ActionForm action={create}>
      {(busy) => (
        <>
          <TextField
            label="Address of the new webhook"
            hint="Such as https://example.com/webhooks."
            type="url"
            value={url}
            onChange={setUrl}
            required
            maxLength={2000}
          />
          <EventKinds kinds={kinds} onChange={setKinds} />
          <div className="buttons">
            <button type="submit" className="primary" aria-disabled={busy}>
              Create
            </button>
          </div>
        </>
      )}
    </ActionForm>
  )
}

function WebhookTable({ items }: { items: readonly Webhook[] }) {
  if (items.length === 0) return <p className="empty">No webhooks yet</p>
  return (
    <DataTable
      label="Webhooks"
      columns={['Address', 'Events', 'Created', 'State']}
      rows={items.map((one) => ({
        key: one.id,
        cells: [
          <a key="url" className="code" href={linkTo('webhooks', one.id)}>
            {one.url}
          </a>,
          kindsInWords(one.kinds),
          <DateTime key="created" at={one.createdAt} />,
          <WebhookState key="state" webhook={one} />,
        ],
      }))}
    />
  )
}

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { enabled, failingSince, disabledReason } = webhook
  if (!enabled) {
    return (
      <span>
        <Badge look={disabledReason === null ? 'plain' : 'bad'}>disabled</Badge>{' '}
        {disabledReason && <span className="quiet">{disabledReason}</span>}
      </span>
    )
  }
  if (failingSince === null) return <Badge look="good">enabled</Badge>
  return (
    <span>
      <Badge look="warn">failing</Badge>{' '}
      <span className="quiet">
        first failed <DateTime at={failingSince} />
      </span>
    </span>
  )
}
