import { linkTo } from '../../../web/route.ts'
import { eventText } from '../../../web/words/events.ts'
import type { AnswerOf, BodyOf } from '../api/operations.ts'
import { ActionButton } from '../parts/action.tsx'
import { timeText } from '../parts/dates.ts'
import { FilterBar, type FilterField } from '../parts/filter-bar.tsx'
import { useNotice } from '../parts/notices.tsx'
import { useSession } from '../sign-in/session.tsx'
import { EVENT_OPTIONS, type EventKind } from './event-kinds.tsx'

const NAMES = ['state', 'type', 'from', 'until'] as const
/** Times as in the address; '' lets everything pass. */
export type DeliveryFilters = Record<(typeof NAMES)[number], string>

export function deliveryFiltersOf(query: URLSearchParams): DeliveryFilters {
  return Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as DeliveryFilters
}

/** `delivery`: the one that is shown with its attempts. */
export function deliveriesLink(webhookId: string, filters: Partial<DeliveryFilters>, delivery = ''): string {
  const given = Object.entries({ ...filters, delivery }).filter(([, value]) => value !== '')
  return linkTo('webhooks', webhookId) + (given.length === 0 ? '' : `?${new URLSearchParams(given)}`)
}

const STATES = [
  { value: '', label: 'All states' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
]
const TYPES = [...EVENT_OPTIONS, { value: 'test', label: 'Test' }]

type FormProps = { webhookId: string; filters: DeliveryFilters; mayResend: boolean; onResent: () => void }

const FIELDS: readonly FilterField<keyof DeliveryFilters>[] = [
  { name: 'state', label: 'State', options: STATES },
  { name: 'type', label: 'Event', options: TYPES },
  { name: 'from', label: 'From', type: 'datetime-local', shown: toLocal, parse: fromLocal },
  { name: 'until', label: 'To', type: 'datetime-local', shown: toLocal, parse: fromLocal },
]

/** What passes the filters can be sent again. */
export function DeliveryFilterForm({ webhookId, filters, mayResend, onResent }: FormProps) {
  return (
    <>
      <FilterBar
        label="Filters of deliveries"
        fields={FIELDS}
        values={filters}
        linkOf={(chosen) => deliveriesLink(webhookId, chosen)}
      />
      {mayResend && <ResendRange webhookId={webhookId} filters={filters} onResent={onResent} />}
    </>
  )
}

const MAX_PARTS = 20

function ResendRange({ webhookId, filters, onResent }: Omit<FormProps, 'mayResend'>) {
  const { api } = useSession()
  const notify = useNotice()
  const { state, type, from, until } = filters
  const resent: 'delivered' | 'failed' = state === 'delivered' ? 'delivered' : 'failed'
  const canResend = from !== '' && state !== 'waiting' && type !== 'test'

  /** In parts: the server looks through a bounded part of the range with each call, and refuses while too much waits. */
  async function send(): Promise<void> {
    let total = 0
    let next: string | null = from
    const filter = { ...(until !== '' && { until }), ...(type !== '' && { types: [type as EventKind] }), state: resent }
    for (let part = 0; next !== null && part < MAX_PARTS; part++) {
      const body: BodyOf<'resendWebhookDeliveries'> = { from: next, ...filter }
      const done: AnswerOf<'resendWebhookDeliveries'> = await api('resendWebhookDeliveries', { id: webhookId, body })
      total += done.resent
      next = total >= MAX_TOTAL ? null : done.continueFrom
    }
    notify(
      total === 0
        ? 'Nothing to send again in this range.'
        : `${total === 1 ? '1 delivery is' : `${total} deliveries are`} sent again.`,
    )
    onResent()
  }

  if (!canResend) return <p className="quiet">Choose a time “From” to send a range again.</p>
  return (
    <div className="buttons">
      <ActionButton
        action={send}
        confirmation={{
          title: `Send ${resent} deliveries again?`,
          action: 'Send again',
          text: `Each ${type === '' ? 'event' : `event “${eventText(type)}”`} from ${timeText(from)} ${until === '' ? 'on' : `until ${timeText(until)}`} whose delivery ${resent === 'failed' ? 'failed' : 'succeeded'} is sent once more, up to 1000 of them.`,
        }}
      >
        Send this range again
      </ActionButton>
    </div>
  )
}

/** As many as may wait. */
const MAX_TOTAL = 1_000

const DAY_MS = 86_400_000

/** The end of a day (UTC), as the filter has it. */
export function endOf(day: string): string {
  return day === '' ? '' : new Date(Date.parse(day) + DAY_MS).toISOString()
}

/** The day that ends where the filter does; '': it ends within a day, or nowhere. */
export function lastDayOf({ until }: DeliveryFilters): string {
  const time = Date.parse(until)
  return Number.isNaN(time) || time % DAY_MS !== 0 ? '' : new Date(time - DAY_MS).toISOString().slice(0, 10)
}

function toLocal(at: string): string {
  if (Number.isNaN(Date.parse(at))) return ''
  const time = new Date(at)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function fromLocal(value: string): string {
  return value === '' ? '' : new Date(value).toISOString()
}
