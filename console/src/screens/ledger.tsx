import { useState } from 'react'
import { useActing } from '../acting.ts'
import { Badge, ScreenHead, When } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { inWords } from '../parts/details.tsx'
import { Problem } from '../parts/problem.tsx'
import { useSession } from '../session.tsx'

type Check = { balanced: boolean; accounts: unknown; problems: unknown[] }

/** Only when asked: the check reads the whole ledger. */
export function LedgerScreen() {
  const { api } = useSession()
  const [check, setCheck] = useState<{ at: string; result: Check } | null>(null)
  const { busy, refusal, run } = useActing()
  const ask = () =>
    run(async () => {
      const result = await api<Check>('GET', '/ledger/check')
      setCheck({ at: new Date().toISOString(), result })
    })
  return (
    <>
      <ScreenHead title="Ledger">
        <button type="button" className="primary" onClick={ask} aria-disabled={busy}>
          {busy ? 'Checking …' : 'Check now'}
        </button>
      </ScreenHead>
      <p className="lead">
        Adds up every account and compares every deposit with its transfers. It reads the whole ledger, so it may take a
        while.
      </p>
      {refusal && <Problem refusal={refusal} onRetry={ask} />}
      <div role="status">{check && <Result at={check.at} result={check.result} />}</div>
    </>
  )
}

function Result({ at, result: { balanced, accounts, problems } }: { at: string; result: Check }) {
  return (
    <section className="card" aria-label="Result">
      <header>
        <h2>{balanced ? 'Balanced' : 'Not balanced'}</h2>
        <Badge look={balanced ? 'good' : 'bad'}>
          {problems.length} {problems.length === 1 ? 'problem' : 'problems'}
        </Badge>
      </header>
      <p className="quiet">
        Checked <When at={at} />
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => {
            const text = typeof problem === 'string' ? problem : JSON.stringify(problem)
            return <li key={text}>{text}</li>
          })}
        </ul>
      )}
      <Accounts accounts={accounts} />
    </section>
  )
}

function Accounts({ accounts }: { accounts: unknown }) {
  if (!Array.isArray(accounts)) return <p>{String(accounts)} accounts.</p>
  const columns = Object.keys((accounts[0] ?? {}) as object)
  const rows = accounts.map((account: Record<string, unknown>) => ({
    key: JSON.stringify(account),
    cells: columns.map((column) => String(account[column])),
  }))
  return <DataTable label="Accounts" columns={columns.map(inWords)} rows={rows} />
}
