import type { Customer } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { CUSTOMER_STATUSES, EXCLUSIONS } from '../../../web/words/customers.ts'
import { useResource } from '../api/resource.ts'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { Details } from '../parts/details.tsx'
import { NamedLink, useTitle } from '../parts/names.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { CustomerAccount } from './account.tsx'
import { CustomerActivity } from './activity.tsx'
import styles from './customer-screen.module.css'
import { CustomerMoney } from './money.tsx'
import { customerLink } from './props.ts'
import { CustomerStatement } from './statement.tsx'
import { STATUS_LOOKS } from './status-looks.ts'
import { CustomerTimeline } from './timeline.tsx'

/** Offered where the role may make one of the calls. Each part of a tab loads on its own. */
const TABS = [
  { tab: 'account', label: 'Account', calls: ['getCustomer'], Content: CustomerAccount },
  {
    tab: 'money',
    label: 'Money',
    calls: ['listPaymentMethods', 'listDeposits'],
    Content: CustomerMoney,
  },
  { tab: 'statement', label: 'Statement', calls: ['readCustomerStatement'], Content: CustomerStatement },
  {
    tab: 'activity',
    label: 'Activity',
    calls: ['listCustomerBets', 'listCustomerComments', 'listCustomerFlags'],
    Content: CustomerActivity,
  },
  { tab: 'timeline', label: 'Timeline', calls: ['readCustomerTimeline'], Content: CustomerTimeline },
] as const

export function CustomerScreen({ id, query }: { id: string; query: URLSearchParams }) {
  const may = usePermission()
  const customer = useResource('getCustomer', { id })
  const tabs = TABS.filter(({ calls }) => calls.some(may))
  const shown = tabs.find(({ tab }) => tab === query.get('tab')) ?? tabs[0]
  return (
    <>
      <ScreenHeader title={useTitle('customer', id)} id={id} />
      <ResourceView resource={customer}>
        {(answer) => (
          <>
            <Summary customer={answer} />
            <nav className="tabs" aria-label="Parts of the customer">
              {tabs.map(({ tab, label }) => (
                <a key={tab} href={customerLink(id, { tab })} aria-current={tab === shown?.tab ? 'page' : undefined}>
                  {label}
                </a>
              ))}
            </nav>
            {shown && (
              <shown.Content customer={answer} query={query} onChanged={customer.replace} reload={customer.reload} />
            )}
          </>
        )}
      </ResourceView>
    </>
  )
}

function Summary({ customer }: { customer: Customer }) {
  const may = usePermission()
  const { id, username, status, statusReason, statusSince, profileId, exclusion, limits, ...others } = customer
  const { dailyDepositLimit, dailyDepositLimitInForce, depositedToday, depositableToday, ...rest } = others
  const { createdAt, balance, debt, currency, ...facts } = rest
  const owed = Number(debt) > 0 ? { debt: `${debt} ${currency}` } : {}
  return (
    <section className="card" aria-label="Customer">
      <header>
        <h2>
          {balance} {currency}
        </h2>
        <span className="chips">
          <Badge look={STATUS_LOOKS[status]}>{CUSTOMER_STATUSES[status]}</Badge>
          {exclusion !== null && <Badge look="bad">{EXCLUSIONS[exclusion.kind]}</Badge>}
          {limits.length > 0 && <Badge look="warn">own limits</Badge>}
        </span>
      </header>
      {statusSince !== null && (
        <p className={styles.statusReason}>
          {CUSTOMER_STATUSES[status]} since <DateTime at={statusSince} />
          {statusReason === null ? <span className="quiet">, without a reason</span> : <>: {statusReason}</>}
        </p>
      )}
      <Details value={{ username, ...owed, registered: createdAt, ...facts }} />
      <p className="links">
        {profileId !== null && may('getModeratedProfile') && (
          <span>
            Profile <NamedLink kind="profile" id={profileId} isLabelled />
          </span>
        )}
        {profileId !== null && may('readRecord') && <a href={linkTo('tipsters', profileId)}>Record</a>}
        {may('listAudit') && <a href={`${linkTo('audit')}?subjectKind=customer&subjectId=${id}`}>Audit trail</a>}
      </p>
    </section>
  )
}
