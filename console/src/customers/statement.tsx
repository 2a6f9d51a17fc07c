import { useResource } from '../api/resource.ts'
import { ActionButton } from '../parts/action.tsx'
import { DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { useSession } from '../sign-in/session.tsx'
import { lineText } from '../wallets/ledger-words.ts'

const SHOWN = 50

/** The last three months; the file has all of their lines. */
export function CustomerStatement({ id }: { id: string }) {
  const { api } = useSession()
  const statement = useResource('readCustomerStatement', { id, query: { limit: SHOWN } })
  const download = async () =>
    saveAsFile(`statement-${id}.csv`, await api('exportCustomerStatement', { id, query: {} }))
  return (
    <section className="panel" aria-labelledby="statement">
      <h2 id="statement">Statement</h2>
      <ResourceView resource={statement}>
        {({ from, to, currency, opening, closing, netDeposits, items, cursor }) => (
          <>
            <p>
              {from} to {to}: opening balance {opening} {currency}, closing balance{' '}
              <strong>
                {closing} {currency}
              </strong>
              . Net deposits since the account was opened: {netDeposits} {currency}.
            </p>
            {items.length === 0 ? (
              <p className="quiet">No lines in these days.</p>
            ) : (
              <DataTable
                label="Statement"
                columns={['Time', 'Type', 'Debit', 'Credit', 'Balance', 'Reference']}
                rows={items.map((line) => ({
                  key: line.line,
                  cells: [
                    <DateTime key="time" at={line.at} />,
                    lineText(line.type),
                    line.debit,
                    line.credit,
                    line.balance,
                    <code key="reference">{line.reference || line.paymentId}</code>,
                  ],
                }))}
              />
            )}
            {cursor !== null && <p className="quiet">The first {SHOWN} lines; the file has all of them.</p>}
          </>
        )}
      </ResourceView>
      <ActionButton action={download}>Download statement (CSV)</ActionButton>
    </section>
  )
}
