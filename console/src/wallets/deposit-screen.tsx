import { type RefObject, useRef } from 'react'
import type { DepositWithEvents, ListedDeposit } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { Details } from '../parts/details.tsx'
import { MoneyTray, useMoneyActions } from '../parts/money-actions.tsx'
import { NamedLink } from '../parts/names.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { Viewers } from '../parts/viewers.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { CardName } from './card-name.tsx'
import { DepositRefunds } from './deposit-refunds.tsx'
import { DepositTrail } from './deposit-trail.tsx'
import { DepositState } from './deposits-screen.tsx'
import { DisputesOf } from './disputes-screen.tsx'
import { GatewayComparison } from './gateway-comparison.tsx'
import { ResolutionForm } from './resolution-form.tsx'
import { ProposalLine, WaitsForBadge } from './waits-for.tsx'
import { WhyFacts } from './why.tsx'

export function DepositScreen({ id }: { id: string }) {
  const may = usePermission()
  const resource = useResource('getDeposit', { paymentId: id })
  const heading = useRef<HTMLHeadingElement>(null)
  const actions = useMoneyActions()

  function showResolved(): void {
    // The form, which has the focus, disappears.
    heading.current?.focus()
    resource.reload()
  }

  return (
    <>
      <ScreenHeader title="Deposit" id={id} />
      <ResourceView resource={resource}>
        {({ events, proposal, waitsFor, ...deposit }) => (
          <>
            <DepositCard deposit={deposit} waitsFor={waitsFor} heading={heading} />
            {may('readGatewayView') && (
              <GatewayComparison paymentId={id} version={deposit.state} asksAtOnce={deposit.state === 'REVIEW'} />
            )}
            <ProposalLine proposal={proposal} />
            <MoneyTray actions={actions} />
            {deposit.state === 'REVIEW' && may('resolveDeposit') && (
              <ResolutionForm deposit={deposit} proposal={proposal} actions={actions} onResolved={showResolved} />
            )}
            {may('listDepositRefunds') && <DepositRefunds {...{ deposit, actions }} onChanged={resource.reload} />}
            {may('listDisputes') && <DisputesOf query={{ paymentId: id }} />}
            <DepositTrail events={events} />
          </>
        )}
      </ResourceView>
    </>
  )
}

type DepositCardProps = {
  deposit: ListedDeposit
  waitsFor: DepositWithEvents['waitsFor']
  heading: RefObject<HTMLHeadingElement | null>
}

function DepositCard({ deposit, waitsFor, heading }: DepositCardProps) {
  const may = usePermission()
  const { why, state, fault, review, scheme, lastFour, expiryDate, ...rest } = deposit
  const { amount, currency, customerId, ...others } = rest
  return (
    <section className="card" aria-label="Deposit">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {amount} {currency}
        </h2>
        <span>
          <DepositState deposit={deposit} isBrief /> <WaitsForBadge waitsFor={waitsFor} />
        </span>
      </header>
      <Viewers item={{ kind: 'deposit', id: deposit.paymentId }} />
      {why !== null && <WhyFacts why={why} code={fault} />}
      <p>
        <CardName card={deposit} />
      </p>
      <Details value={others} />
      {may('getCustomer') && (
        <p>
          <NamedLink kind="customer" id={customerId} />
        </p>
      )}
    </section>
  )
}
