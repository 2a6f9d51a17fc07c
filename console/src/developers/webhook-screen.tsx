import { useState } from 'react'
import type { RotatedWebhookSecret, Webhook, WebhookDelivery } from '../../../src/operator/api-types.ts'
import { openRoute } from '../../../web/route.ts'
import { type Resource, useResource } from '../api/resource.ts'
import { ActionButton, ActionForm } from '../parts/action.tsx'
import { DateTime, ScreenHeader } from '../parts/basics.tsx'
import { TextField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { OneTimeSecret } from '../parts/one-time-secret.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { DeliveryDetails } from './delivery-details.tsx'
import { deliveriesLink, deliveryFiltersOf } from './delivery-filters.tsx'
import { type EventKind, EventKinds, kindsInWords } from './event-kinds.tsx'
import { useDeliveries, WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookState } from './webhooks-screen.tsx'

export function WebhookScreen({ id, query }: { id: string; query: URLSearchParams }) {
  const may = usePermission()
  const resource = useResource('getWebhook', { id })
  const [rotated, setRotated] = useState<RotatedWebhookSecret | null>(null)

  function show(secret: RotatedWebhookSecret): void {
    setRotated(secret)
    resource.reload()
  }

  return (
    <>
      <ScreenHeader title={resource.answer ? hostOf(resource.answer.url) : 'Webhook'} id={id} />
      {rotated && (
        <OneTimeSecret
          title="New secret"
          text="Copy it now: it cannot be shown again. For 24 hours messages are signed with the previous secret too."
          values={{ Secret: rotated.secret }}
          onDone={() => setRotated(null)}
        />
      )}
      <ResourceView resource={resource}>
        {(webhook) => (
          <WebhookPanels
            webhook={webhook}
            query={query}
            resource={resource}
            mayChange={may('changeWebhook')}
            onSecret={show}
          />
        )}
      </ResourceView>
    </>
  )
}

/** "example.com": the name that an operator has for it. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

type Panels = {
  webhook: Webhook
  query: URLSearchParams
  resource: Resource<Webhook>
  mayChange: boolean
  onSecret: (secret: RotatedWebhookSecret) => void
}

function WebhookPanels({ webhook, query, resource, mayChange, onSecret }: Panels) {
  const filters = deliveryFiltersOf(query)
  const deliveries = useDeliveries(webhook.id, filters, resource.reload)
  const shown = query.get('delivery')
  return (
    <>
      <section className="card" aria-label="Webhook">
        <header>
          <h2>{webhook.url}</h2>
          <WebhookState webhook={webhook} />
        </header>
        <p>Events: {kindsInWords(webhook.kinds)}</p>
        {webhook.previousSecretUntil && (
          <p className="quiet">
            Also signed with the previous secret until <DateTime at={webhook.previousSecretUntil} />.
          </p>
        )}
        {mayChange && (
          <WebhookActions
            webhook={webhook}
            onChanged={resource.replace}
            onSecret={onSecret}
            onTest={deliveries.watch}
            isRotating={query.get('rotate') === 'yes'}
          />
        )}
      </section>
      {shown !== null && (
        <DeliveryDetails webhookId={webhook.id} deliveryId={shown} closeLink={deliveriesLink(webhook.id, filters)} />
      )}
      {mayChange && <ChangeForm key={webhook.id} webhook={webhook} onChanged={resource.replace} />}
      <WebhookDeliveries deliveries={deliveries} mayResend={mayChange && webhook.enabled} />
    </>
  )
}

type ActionsProps = {
  webhook: Webhook
  onChanged: (webhook: Webhook) => void
  onSecret: (secret: RotatedWebhookSecret) => void
  onTest: (delivery: WebhookDelivery) => void
  /** The question whether to rotate the secret is open from the beginning. */
  isRotating: boolean
}

function WebhookActions({ webhook, onChanged, onSecret, onTest, isRotating }: ActionsProps) {
  const { api } = useSession()
  const notify = useNotice()
  const { id } = webhook

  async function setEnabled(enabled: boolean): Promise<void> {
    onChanged(await api('changeWebhook', { id, body: { enabled } }))
    notify(enabled ? 'The webhook is enabled.' : 'The webhook is disabled. Its events wait.')
  }

  async function remove(): Promise<void> {
    await api('deleteWebhook', { id })
    notify('The webhook is deleted.')
    openRoute('webhooks')
  }

  return (
    <div className="buttons">
      {webhook.enabled ? (
        <>
          <ActionButton action={async () => onTest(await api('testWebhook', { id }))}>Send a test</ActionButton>
          <ActionButton action={() => setEnabled(false)}>Disable</ActionButton>
        </>
      ) : (
        <ActionButton action={() => setEnabled(true)}>Enable</ActionButton>
      )}
      <ActionButton
        action={async () => onSecret(await api('rotateWebhookSecret', { id }))}
        startsOpen={isRotating}
        confirmation={{
          title: 'Rotate the secret?',
          action: 'Create new secret',
          text: 'The current secret stays valid for 24 hours, so that you can switch the receiver to the new one.',
        }}
      >
        Rotate secret
      </ActionButton>
      <ActionButton
        action={remove}
        confirmation={{
          title: 'Delete the webhook?',
          action: 'Delete',
          isDangerous: true,
          text: 'Events that wait are not sent, and its deliveries are deleted. This cannot be undone.',
        }}
      >
        Delete
      </ActionButton>
    </div>
  )
}

function ChangeForm({ webhook, onChanged }: Pick<ActionsProps, 'webhook' | 'onChanged'>) {
  const { api } = useSession()
  const notify = useNotice()
  const [url, setUrl] = useState(webhook.url)
  const [kinds, setKinds] = useState<EventKind[]>([...(webhook.kinds ?? [])])

  async function change(): Promise<void> {
    const body = { url: url.trim(), kinds: kinds.length === 0 ? null : kinds }
    onChanged(await api('changeWebhook', { id: webhook.id, body }))
    notify('The webhook is changed.')
  }

  return (
    <ActionForm action={change}>
      {(busy) => (
        <>
          <TextField label="Address" type="url" value={url} onChange={setUrl} required maxLength={2000} />
          <EventKinds kinds={kinds} onChange={setKinds} />
          <div className="buttons">
            <button type="submit" className="primary" aria-disabled={busy}>
              Save
            </button>
          </div>
        </>
      )}
    </ActionForm>
  )
}
