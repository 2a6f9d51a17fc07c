import { linkTo } from '../../../web/route.ts'
import { REFUND_ORIGINS, REFUND_STATES } from '../../../web/words/money.ts'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import type { MoneyActions } from '../parts/money-actions.tsx'
import { NamedLink } from '../parts/names.tsx'
import { amountText } from '../parts/numbers.ts'
import { CardName } from './card-name.tsx'
import { REFUND_LOOKS } from './looks.ts'
import { type Refund, RefundDecision } from './refund-decision.tsx'

type RefundTableProps = {
  items: readonly Refund[]
  actions: MoneyActions
  onChanged: () => void
  withCustomer?: true
}

const COLUMNS = ['Amount', 'State', 'Card', 'By', 'Reason', 'Approval']

export function RefundTable({ items, actions, onChanged, withCustomer }: RefundTableProps) {
  return (
    <DataTable
      label="Refunds"
      columns={['Requested', ...(withCustomer ? ['Customer'] : []), ...COLUMNS]}
      rows={items.map((refund) => ({
        key: refund.id,
        cells: [
          <DateTime key="time" at={refund.createdAt} />,
          ...(withCustomer ? [<NamedLink key="customer" kind="customer" id={refund.customerId} />] : []),
          <RefundAmount key="amount" refund={refund} withLink={withCustomer ?? false} />,
          <RefundState key="state" refund={refund} />,
          <CardName key="card" card={refund} />,
          refund.requestedBy ?? REFUND_ORIGINS[refund.origin],
          refund.reason,
          <RefundDecision key="decision" refund={refund} actions={actions} onDecided={onChanged} />,
        ],
      }))}
    />
  )
}

function RefundAmount({ refund, withLink }: { refund: Refund; withLink: boolean }) {
  const text = `${amountText(refund.amount)} ${refund.currency}`
  return withLink ? <a href={linkTo('deposits', refund.paymentId)}>{text}</a> : text
}

/** What of it arrived and what came back, where it is not all of it. */
function RefundState({ refund: { state, paid, returned, amount } }: { refund: Refund }) {
  const isInParts = [paid, returned].some((one) => Number(one) > 0 && one !== amount)
  return (
    <span>
      <Badge look={REFUND_LOOKS[state]}>{REFUND_STATES[state]}</Badge>
      {isInParts && (
        <span className="quiet">
          {' '}
          {paid} paid, {returned} came back
        </span>
      )}
    </span>
  )
}
