import { linkTo } from '../../../web/route.ts'
import { MAX_COUNTED } from '../api/api.ts'
import type { AnswerOf } from '../api/operations.ts'
import { useResource } from '../api/resource.ts'
import { Age } from '../parts/age.tsx'
import { Badge } from '../parts/basics.tsx'
import { depositsLink } from './deposit-texts.ts'
import styles from './waiting-deposits.module.css'

/** What waits for somebody or for the gateway, and for how long. */
export function WaitingDeposits() {
  const { answer } = useResource('readWaitingDeposits')
  if (answer === undefined) return null
  return (
    <ul className={styles.waitingDeposits} aria-label="Waiting deposits">
      <WaitingLine title="Deposits in review" href={linkTo('deposit-review')} kind={answer.review} look="warn" />
      <WaitingLine
        title="Deposits waiting for capture"
        href={depositsLink({ state: 'AUTHORISED' })}
        kind={answer.captures}
        look="plain"
      />
    </ul>
  )
}

type WaitingLineProps = {
  title: string
  href: string
  kind: AnswerOf<'readWaitingDeposits'>['review']
  look: 'warn' | 'plain'
}

function WaitingLine({ title, href, kind: { waiting, oldest }, look }: WaitingLineProps) {
  return (
    <li>
      <a href={href}>{title}</a>{' '}
      <Badge look={waiting === 0 ? 'good' : look}>
        {waiting}
        {waiting >= MAX_COUNTED && '+'}
      </Badge>
      {oldest !== null && (
        <span className="quiet">
          {' '}
          oldest for <Age since={oldest.since} />:{' '}
          <a href={linkTo('deposits', oldest.paymentId)}>
            {oldest.amount} {oldest.currency}
          </a>
        </span>
      )}
    </li>
  )
}
