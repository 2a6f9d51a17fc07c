import { useState } from 'react'
import type { RecordCheck } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { Badge } from '../parts/basics.tsx'
import { useCall } from '../parts/call.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Problem } from '../parts/problem.tsx'
import { useSession } from '../sign-in/session.tsx'
import { tipCount } from './texts.ts'

const MAX_SHOWN = 100

export function Recount({ profileId }: { profileId: string }) {
  const { api } = useSession()
  const [check, setCheck] = useState<RecordCheck>()
  const { busy, refusal, run } = useCall(async () => setCheck(await api('checkRecord', { id: profileId })))
  const recount = () => run()
  return (
    <section className="panel" aria-labelledby="recount">
      <h2 id="recount">Recount</h2>
      <p>
        Grades all tips of this profile again, from the tips and the results, and compares grades and sums with the
        stored ones. The filters do not apply.
      </p>
      <button type="button" onClick={recount} aria-disabled={busy}>
        {busy ? 'Recounting …' : 'Recount'}
      </button>
      {refusal && <Problem refusal={refusal} onRetry={recount} />}
      <div role="status">{check && refusal === undefined && <Result check={check} />}</div>
    </section>
  )
}

function Result({ check: { isEqual, numTips, differences } }: { check: RecordCheck }) {
  const count = differences.length === MAX_SHOWN ? `The first ${MAX_SHOWN}` : differences.length
  if (isEqual) {
    return (
      <p>
        <Badge look="good">equal</Badge> {tipCount(numTips)} recounted: every grade and every sum is as stored.
      </p>
    )
  }
  return (
    <>
      <p>
        <Badge look="bad">not equal</Badge> {tipCount(numTips)} recounted. {count}{' '}
        {differences.length === 1 ? 'difference' : 'differences'}; profits are in millionths of a point.
      </p>
      <DataTable
        label="Differences"
        columns={['Of', 'Field', 'Recounted', 'Stored']}
        rows={differences.map(({ subject, field, recounted, stored }) => ({
          key: `${subject} ${field}`,
          cells: [
            <Subject key="subject" name={subject} />,
            field,
            <code key="recounted">{recounted ?? 'none'}</code>,
            <code key="stored">{stored ?? 'none'}</code>,
          ],
        }))}
      />
    </>
  )
}

/** A tip leads to its page. */
function Subject({ name }: { name: string }) {
  const tip = /^tip (\d+)$/.exec(name)?.[1]
  return tip === undefined ? name : <a href={linkTo('comments', tip)}>{name}</a>
}
