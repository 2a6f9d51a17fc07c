import type { Health } from '../../../src/operator/api-types.ts'
import { Badge } from '../parts/basics.tsx'

export type Judged = { state: Health['state']; advice: string | null }

export const LOOKS = { good: 'good', warning: 'warn', critical: 'bad' } as const

export function StateBadge({ of: { state } }: { of: Judged }) {
  return <Badge look={LOOKS[state]}>{state}</Badge>
}

export function Detail({ detail, advice }: { detail: string; advice: string | null }) {
  return (
    <span>
      {detail} {advice && <span className="quiet">{advice}</span>}
    </span>
  )
}

/** Several may have one name. */
export function checkRows(checks: Health['checks']) {
  return checks.map((check, index) => ({
    key: `${check.name} ${index}`,
    cells: [check.title, <StateBadge key="state" of={check} />, <Detail key="detail" {...check} />],
  }))
}
