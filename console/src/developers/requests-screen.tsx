import { useState } from 'react'
import type { RecentRequests } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { Badge, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { SelectField } from '../parts/fields.tsx'
import { NamedLink } from '../parts/names.tsx'
import { Pager, usePages, wholeList } from '../parts/pager.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { RequestDetails, requestLink } from './request-details.tsx'

type Request = RecentRequests['items'][number]

const MAX_SHOWN = 200

/** Refreshed only by hand: each read is in the audit trail, and rows under the pointer must not move. */
export function ApplicationRequestsScreen({ apiKey, request }: { apiKey: string; request: string | null }) {
  const [faultsOnly, setFaultsOnly] = useState(false)
  const [operation, setOperation] = useState('')
  const query = { limit: MAX_SHOWN, faultsOnly: faultsOnly ? 'true' : '', operation }
  const requests = useResource('listApplicationRequests', { apiKey, query })
  const operations = useSeen((requests.answer?.items ?? []).map((one) => one.operation))
  return (
    <>
      <ScreenHeader title="Requests">
        <button type="button" onClick={requests.reload} aria-disabled={requests.loading}>
          Refresh
        </button>
      </ScreenHeader>
      <p className="lead">
        The last requests of {requests.answer?.application ?? 'the application'} (<code>{apiKey}</code>), without
        secrets, texts and headers: up to 200, for a day. In the sandbox forms and answers are shown too, and a restart
        forgets nothing. Requests that were refused for their key or secret are not shown.{' '}
        <a href={linkTo('applications')}>All applications</a>
      </p>
      <div className="panel inline">
        <SelectField
          label="Operation"
          value={operation}
          onChange={setOperation}
          options={[
            { value: '', label: 'all operations' },
            ...operations.map((name) => ({ value: name, label: name })),
          ]}
        />
        <label className="check">
          <input type="checkbox" checked={faultsOnly} onChange={(event) => setFaultsOnly(event.target.checked)} />
          Faults only
        </label>
      </div>
      <ResourceView resource={requests}>
        {({ items, unanswered }) => (
          <>
            {unanswered > 0 && (
              <p className="warning" role="status">
                {unanswered} workers did not answer: their requests are missing.
              </p>
            )}
            {request !== null && (
              <RequestDetails id={request} items={items} closeLink={linkTo('applications', apiKey)} />
            )}
            {items.length === 0 ? <p className="empty">No requests</p> : <RequestPages apiKey={apiKey} items={items} />}
          </>
        )}
      </ResourceView>
    </>
  )
}

/** What was shown so far stays on offer while a filter shows less. */
function useSeen(names: string[]): string[] {
  const [seen] = useState(() => new Set<string>())
  for (const name of names) seen.add(name)
  return [...seen].sort()
}

type RequestsProps = { apiKey: string; items: readonly Request[] }

function RequestPages({ apiKey, items }: RequestsProps) {
  const pages = usePages(wholeList(items))
  return (
    <>
      <RequestTable apiKey={apiKey} items={pages.shown} />
      <Pager pages={pages} />
    </>
  )
}

function RequestTable({ apiKey, items }: RequestsProps) {
  return (
    <DataTable
      label="Requests"
      columns={['Time', 'Request', 'Result', 'Duration', 'Customer', 'Answer', 'Request ID']}
      rows={items.map((one) => ({
        key: one.id,
        cells: [
          <TimeOfDay key="time" at={one.at} />,
          <span key="request" className="sent">
            <code>
              {one.method} {one.path}
            </code>
            {one.body !== null && <code>{one.body}</code>}
            <span className="quiet">{one.operation}</span>
          </span>,
          <Result key="result" of={one} />,
          `${one.ms} ms`,
          <CustomerLink key="customer" id={one.customerId} />,
          one.representation.toUpperCase(),
          <a key="id" href={requestLink(apiKey, one.id)}>
            <code>{one.id}</code>
          </a>,
        ],
      }))}
    />
  )
}

function Result({ of: { status, fault, hint } }: { of: Request }) {
  const look = fault === null ? 'good' : status >= 500 ? 'bad' : 'warn'
  return (
    <span className="sent">
      <span>
        <Badge look={look}>{status}</Badge> {fault !== null && <strong>{fault.code}</strong>}{' '}
        {fault !== null && fault.name !== '' && <code>{fault.name}</code>}
      </span>
      {fault !== null && <span className="quiet">{fault.meaning}</span>}
      {hint !== null && <span className="quiet">{hint}</span>}
    </span>
  )
}

const withSeconds = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

function TimeOfDay({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {withSeconds.format(new Date(at))}
    </time>
  )
}

function CustomerLink({ id }: { id: string | null }) {
  if (id === null) return <span className="quiet">none</span>
  return <NamedLink kind="customer" id={id} />
}
