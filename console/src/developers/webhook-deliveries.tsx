import { useEffect, useEffectEvent, useState } from 'react'
import type { WebhookDelivery } from '../../../src/operator/api-types.ts'
import { subjectText } from '../../../web/words/subjects.ts'
import { usePagedList } from '../api/resource.ts'
import { ActionButton } from '../parts/action.tsx'
import basics from '../parts/basics.module.css'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Id } from '../parts/id.tsx'
import { Pager, type Pages, usePages } from '../parts/pager.tsx'
import { useSession } from '../sign-in/session.tsx'
import { DeliveryFilterForm, type DeliveryFilters, deliveriesLink, endOf, lastDayOf } from './delivery-filters.tsx'
import { EventKindName } from './event-kinds.tsx'

const LOOK_EVERY_MS = 1_000
/** An attempt ends after 10 s. */
const MAX_LOOKS = 15

type Deliveries = {
  readonly webhookId: string
  readonly filters: DeliveryFilters
  readonly pages: Pages<WebhookDelivery>
  /** Shows the delivery, and its result as soon as it is known. */
  watch(delivery: WebhookDelivery): void
}

/** `onResult` is called when a watched delivery has its result, which may have changed the webhook. */
export function useDeliveries(webhookId: string, filters: DeliveryFilters, onResult: () => void): Deliveries {
  const list = usePagedList('listWebhookDeliveries', { id: webhookId, query: filters })
  const pages = usePages(list)
  const [watched, setWatched] = useState<{ id: string; attempts: number; looks: number } | null>(null)

  const { items } = list
  const reload = useEffectEvent(list.reload)
  const report = useEffectEvent(onResult)
  useEffect(() => {
    if (watched === null) return
    const { attempts = 0, state = 'waiting', nextAttemptAt = null } = items.find(({ id }) => id === watched.id) ?? {}
    const hasResult = state !== 'waiting' || (attempts > watched.attempts && nextAttemptAt !== null)
    if (hasResult || watched.looks === MAX_LOOKS) {
      setWatched(null)
      report()
      return
    }
    const timer = setTimeout(() => {
      reload()
      setWatched({ ...watched, looks: watched.looks + 1 })
    }, LOOK_EVERY_MS)
    return () => clearTimeout(timer)
  }, [watched, items])

  return {
    webhookId,
    filters,
    pages,
    watch({ id, attempts }) {
      setWatched({ id, attempts, looks: 0 })
      list.reload()
    },
  }
}

type DeliveriesProps = { deliveries: Deliveries; mayResend: boolean }

export function WebhookDeliveries({ deliveries, mayResend }: DeliveriesProps) {
  const { webhookId, filters, pages } = deliveries
  const { list } = pages
  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <>
      <header className={basics.screenHead}>
        <h2>Deliveries</h2>
        <div className={basics.screenTools}>
          <button type="button" onClick={list.reload} aria-disabled={list.loading}>
            Refresh
          </button>
        </div>
      </header>
      <DeliveryFilterForm webhookId={webhookId} filters={filters} mayResend={mayResend} onResent={list.reload} />
      {pages.shown.length > 0 && <DeliveryTable deliveries={deliveries} mayResend={mayResend} />}
      {list.items.length === 0 && !list.loading && !list.refusal && (
        <p className="empty">{isFiltered ? 'No matching deliveries' : 'No deliveries yet'}</p>
      )}
      <Pager
        pages={pages}
        day={lastDayOf(filters)}
        onDate={(day) => (location.hash = deliveriesLink(webhookId, { ...filters, until: endOf(day) }))}
      />
    </>
  )
}

function DeliveryTable({ deliveries, mayResend }: DeliveriesProps) {
  return (
    <DataTable
      label="Deliveries"
      columns={['Created', 'Event', 'State', 'Answer', 'Duration', 'Attempts', 'Actions']}
      rows={deliveries.pages.shown.map((one) => ({
        key: one.id,
        cells: [
          <DateTime key="created" at={one.createdAt} />,
          <EventName key="event" delivery={one} />,
          <DeliveryState key="state" delivery={one} />,
          one.error ?? (one.status === null ? <span className="quiet">none yet</span> : `Answered ${one.status}.`),
          one.durationMs === null ? null : `${one.durationMs} ms`,
          one.attempts,
          <div key="actions" className="buttons">
            <a
              className="button"
              href={deliveriesLink(deliveries.webhookId, deliveries.filters, one.id)}
              aria-label={`Details of ${one.eventId}`}
            >
              Details
            </a>
            {mayResend && <Resend delivery={one} deliveries={deliveries} />}
          </div>,
        ],
      }))}
    />
  )
}

function EventName({ delivery }: { delivery: WebhookDelivery }) {
  const { type, eventId, subject } = delivery
  return (
    <>
      <EventKindName kind={type} />
      {type !== 'test' && `${subjectText(subject.type)} ${subject.id} `}
      <Id value={eventId} />
    </>
  )
}

const LOOKS = { waiting: 'wait', delivered: 'good', failed: 'bad' } as const

function DeliveryState({ delivery: { state, nextAttemptAt, resentAt } }: { delivery: WebhookDelivery }) {
  return (
    <span>
      <Badge look={LOOKS[state]}>{state}</Badge>{' '}
      {nextAttemptAt && (
        <span className="quiet">
          next attempt <DateTime at={nextAttemptAt} />
        </span>
      )}
      {resentAt && <span className="quiet">sent again</span>}
    </span>
  )
}

function Resend({ delivery, deliveries }: { delivery: WebhookDelivery; deliveries: Deliveries }) {
  const { api } = useSession()
  const path = { id: deliveries.webhookId, deliveryId: delivery.id }
  return (
    <ActionButton
      action={async () => deliveries.watch(await api('resendWebhookDelivery', path))}
      label={`Send again: ${delivery.eventId}`}
    >
      Send again
    </ActionButton>
  )
}
