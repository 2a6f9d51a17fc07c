import { EXCLUSIONS } from '../../../web/words/customers.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionForm } from '../parts/action.tsx'
import { DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useDraft } from '../parts/drafts.ts'
import { TextField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import type { CustomerProps } from './props.ts'

type Props = Pick<CustomerProps, 'customer' | 'onChanged'>

/** Limits, time-out and self-exclusion: only the customer sets them, and nobody shortens an exclusion. */
export function OwnLimits({ customer, onChanged }: Props) {
  const may = usePermission()
  const { exclusion, limits } = customer
  if (exclusion === null && limits.length === 0) return null
  const mayReturn = exclusion?.kind === 'self-exclusion' && exclusion.returnsAt === null
  return (
    <section className="card" aria-labelledby="own-limits">
      <h2 id="own-limits">Set by the customer</h2>
      {exclusion !== null && <Exclusion exclusion={exclusion} />}
      {mayReturn && Date.parse(exclusion.until) <= Date.now() && may('recordReturn') && (
        <ReturnForm customer={customer} onChanged={onChanged} />
      )}
      {limits.length > 0 && <Limits limits={limits} />}
    </section>
  )
}

function Exclusion({ exclusion }: { exclusion: NonNullable<Props['customer']['exclusion']> }) {
  const { kind, until, returnsAt } = exclusion
  return (
    <p>
      {EXCLUSIONS[kind]} until <DateTime at={until} />.{' '}
      {returnsAt !== null ? (
        <>
          The customer has requested to return, and may log in from <DateTime at={returnsAt} />.
        </>
      ) : (
        'Nobody can shorten it.'
      )}
    </p>
  )
}

function Limits({ limits }: { limits: Props['customer']['limits'] }) {
  return (
    <DataTable
      label="Own limits"
      columns={['Deposits per', 'Limit', 'Used', 'Left', 'Resets', 'Requested']}
      rows={limits.map(({ period, amount, used, left, resets, pending }) => ({
        key: period,
        cells: [
          period,
          amount,
          used,
          left,
          <DateTime key="resets" at={resets} />,
          pending === null ? (
            '–'
          ) : (
            <span key="requested">
              {pending.amount ?? 'no limit'}, to be confirmed from <DateTime at={pending.notBefore} />
            </span>
          ),
        ],
      }))}
    />
  )
}

function ReturnForm({ customer: { id }, onChanged }: Props) {
  const { api } = useSession()
  const notify = useNotice()
  const reason = useDraft(`return ${id}`)
  const confirmation = {
    title: `Does customer ${id} ask to return?`,
    action: 'Record the request',
    text: `They may log in and deposit 24 hours from now. Reason: ${reason.text}`,
  }

  async function record(): Promise<void> {
    onChanged(await api('recordReturn', { id, body: { reason: reason.text.trim() } }))
    reason.discard()
    notify(`Customer ${id} may return in 24 hours.`)
  }

  return (
    <ActionForm action={record} confirmation={confirmation}>
      {(busy) => (
        <div className="inline">
          <TextField
            label="How the customer has requested to return"
            value={reason.text}
            onChange={reason.set}
            required
            maxLength={MAX_NOTE_LENGTH}
          />
          <button type="submit" className="primary" disabled={busy || reason.text.trim() === ''}>
            Record the request …
          </button>
        </div>
      )}
    </ActionForm>
  )
}
