import { useState } from 'react'
import type { Withdrawal } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { HOLDS, WITHDRAWAL_STATES } from '../../../web/words/money.ts'
import { ROLES } from '../../../web/words/roles.ts'
import { Age } from '../parts/age.tsx'
import { Badge, DateTime } from '../parts/basics.tsx'
import type { MoneyActions } from '../parts/money-actions.tsx'
import { NamedLink } from '../parts/names.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { CardName } from './card-name.tsx'
import { Fact } from './fact.tsx'
import { WITHDRAWAL_LOOKS } from './looks.ts'
import { NoDecision, WaitsForBadge } from './waits-for.tsx'
import { WithdrawalBasis } from './withdrawal-basis.tsx'
import { isApprovedByOne, WithdrawalDecision } from './withdrawal-decision.tsx'
import { OutsideReturn, PartSummary, PartTable, ReviewedParts } from './withdrawal-parts.tsx'

type CardProps = { withdrawal: Withdrawal; actions: MoneyActions; onDone: () => void; isOwnPage?: true }

export function WithdrawalCard({ withdrawal, actions, onDone, isOwnPage }: CardProps) {
  const { id, amount, currency, createdAt, state, waitsFor, parts } = withdrawal
  const may = usePermission()
  const isOpen = withdrawal.needsApproval || state === 'REVIEW'
  const sum = `${amount} ${currency}`
  const decision = { withdrawal, actions, onDone }
  return (
    <article className="card" aria-label={`Withdrawal ${id}`}>
      <header>
        <h2>{isOwnPage ? sum : <a href={linkTo('withdrawals', id)}>{sum}</a>}</h2>
        <span>
          <WithdrawalState withdrawal={withdrawal} />{' '}
          <WaitsForBadge waitsFor={waitsFor} isDecidedByOne={isApprovedByOne(withdrawal)} />{' '}
          {isOpen && (
            <span className="quiet">
              for <Age since={createdAt} />
            </span>
          )}
        </span>
      </header>
      <Repetition withdrawal={withdrawal} />
      <Facts withdrawal={withdrawal} />
      {isOwnPage ? <PartTable parts={parts} currency={currency} /> : <PartSummary parts={parts} currency={currency} />}
      {isOwnPage ? <WithdrawalBasis withdrawal={withdrawal} /> : isOpen && <BasisOnRequest withdrawal={withdrawal} />}
      {may('resolveWithdrawal') && <ReviewedParts {...decision} />}
      {may('recordOutsideReturn') && <OutsideReturn {...decision} />}
      {may('approveWithdrawal') && <WithdrawalDecision {...decision} />}
      {may('approveWithdrawal') && <WhoMayApprove withdrawal={withdrawal} />}
      {isOpen && !may('approveWithdrawal') && <NoDecision />}
    </article>
  )
}

/** In a list: it takes five requests. */
function BasisOnRequest({ withdrawal }: Pick<CardProps, 'withdrawal'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Balance, cards, earlier withdrawals and disputes</summary>
      {isOpen && <WithdrawalBasis withdrawal={withdrawal} />}
    </details>
  )
}

/** In place of the button, for who has decided already. */
function WhoMayApprove({
  withdrawal: { needsApproval, waitsFor, approvedBy, requestedBy, hold },
}: Pick<CardProps, 'withdrawal'>) {
  if (!needsApproval || waitsFor !== 'another person' || hold === 'operator') return null
  const [first] = approvedBy
  if (first === undefined)
    return (
      <p className="quiet">
        Another person approves it{requestedBy === null ? '' : ` than ${requestedBy}, who requested it`}.
      </p>
    )
  return (
    <p className="quiet">
      {`It waits for a second person: ${first} has approved it. Another person must approve it too, with the role ${ROLES['cashier-lead'].name} or ${ROLES.admin.name}.`}
    </p>
  )
}

/** A part of it may have come back. */
export function WithdrawalState({ withdrawal: { state, returned, hold } }: Pick<CardProps, 'withdrawal'>) {
  return (
    <>
      <Badge look={WITHDRAWAL_LOOKS[state]}>
        {state === 'PAID' && Number(returned) > 0 ? 'Paid in part' : WITHDRAWAL_STATES[state]}
      </Badge>
      {hold !== null && (
        <>
          {' '}
          <Badge look="warn">on hold</Badge>
        </>
      )}
    </>
  )
}

/** The customer has probably asked twice for the same. */
function Repetition({ withdrawal: { repeats, amount, currency } }: Pick<CardProps, 'withdrawal'>) {
  if (repeats === null) return null
  return (
    <p className="warning">
      <strong>Probably sent twice.</strong>{' '}
      <a href={linkTo('withdrawals', repeats)}>
        Withdrawal {repeats} of {amount} {currency}
      </a>{' '}
      went to the same card within ten minutes before.
    </p>
  )
}

function Facts({ withdrawal }: Pick<CardProps, 'withdrawal'>) {
  const { customerId, createdAt, currency, hold, heldBy, holdReason, paid, requestedBy, returned } = withdrawal
  return (
    <dl className="facts">
      <Fact name="Customer">
        <NamedLink kind="customer" id={customerId} isLabelled />
      </Fact>
      <Fact name="Requested">
        <DateTime at={createdAt} />
        {requestedBy !== null && ` by ${requestedBy}`}
      </Fact>
      <Fact name="Card as requested">
        <RequestedCard withdrawal={withdrawal} />
      </Fact>
      <Fact name="Approved by">{approvers(withdrawal)}</Fact>
      {Number(paid) > 0 && <Fact name="Paid">{`${paid} ${currency}`}</Fact>}
      {Number(returned) > 0 && <Fact name="Credited again">{`${returned} ${currency}`}</Fact>}
      {hold !== null && (
        <Fact name="On hold" isLong>
          {HOLDS[hold]}
          {heldBy !== null && ` Held by ${heldBy}.`}
        </Fact>
      )}
      {holdReason !== null && (
        <Fact name="The customer reads" isLong>
          {holdReason}
        </Fact>
      )}
    </dl>
  )
}

function RequestedCard({ withdrawal: { scheme, lastFour, expiryDate } }: Pick<CardProps, 'withdrawal'>) {
  if (scheme === null || lastFour === null || expiryDate === null) return 'none: paid outside'
  return <CardName card={{ scheme, lastFour, expiryDate }} />
}

function approvers({ approvedBy, needsApproval, state }: Withdrawal): string {
  if (approvedBy.length > 0) return approvedBy.join(', ')
  return needsApproval || state === 'REFUSED' ? 'nobody yet' : 'the rule'
}
