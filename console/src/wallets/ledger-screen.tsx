import type { LedgerCheck } from '../../../src/operator/api-types.ts'
import { accountText } from '../../../web/words/ledger.ts'
import { useResource } from '../api/resource.ts'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { useCall } from '../parts/call.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Problem } from '../parts/problem.tsx'
import { useSession } from '../sign-in/session.tsx'
import { problemCount } from './ledger-state.tsx'

export function LedgerScreen() {
  const { api } = useSession()
  const last = useResource('readLastLedgerCheck')
  const { busy, refusal, run } = useCall(async () => last.replace(await api('checkLedger')))
  const check = () => run()
  const refused = refusal ?? last.refusal
  return (
    <>
      <ScreenHeader title="Ledger">
        <button type="button" className="primary" onClick={check} aria-disabled={busy}>
          {busy ? 'Checking …' : 'Check now'}
        </button>
      </ScreenHeader>
      <p className="lead">
        A check adds up every account and compares every deposit with its transfers. It runs every hour and on request.
        It reads the whole ledger, so it may take a while.
      </p>
      {refused && <Problem refusal={refused} onRetry={refusal ? check : last.reload} />}
      <div role="status">
        {last.answer?.checkedAt === null && <p className="quiet">The first check is still running.</p>}
        {last.answer && last.answer.checkedAt !== null && <Result check={last.answer} />}
      </div>
    </>
  )
}

function Result({ check: { checkedAt, balanced, accounts, problems } }: { check: LedgerCheck }) {
  return (
    <section className="card" aria-label="Result">
      <header>
        <h2>{balanced ? 'Balanced' : 'Not balanced'}</h2>
        <Badge look={balanced ? 'good' : 'bad'}>{problemCount(problems)}</Badge>
      </header>
      <p className="quiet">
        Checked <DateTime at={checkedAt} />
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {accounts.length > 0 && (
        <DataTable
          label="Accounts"
          columns={['Account', 'Currency', 'Total']}
          rows={accounts.map(({ kind, currency, total }) => ({
            key: `${kind} ${currency}`,
            cells: [accountText(kind), currency, total],
          }))}
        />
      )}
    </section>
  )
}
