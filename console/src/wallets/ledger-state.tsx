import { linkTo } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { Badge, DateTime } from '../parts/basics.tsx'

/** The result of the last check of the ledger, in one line. */
export function LedgerState() {
  const { answer } = useResource('readLastLedgerCheck')
  if (answer === undefined) return null
  if (answer.checkedAt === null) return <p className="quiet">The ledger is being checked for the first time.</p>
  const { balanced, problems, checkedAt } = answer
  return (
    <p>
      <a href={linkTo('ledger')}>Ledger</a>{' '}
      <Badge look={balanced ? 'good' : 'bad'}>{balanced ? 'balanced' : problemCount(problems)}</Badge>{' '}
      <span className="quiet">
        last checked <DateTime at={checkedAt} />, runs hourly
      </span>
    </p>
  )
}

export function problemCount({ length }: readonly string[]): string {
  return `${length} ${length === 1 ? 'problem' : 'problems'}`
}
