import { useState } from 'react'
import type { Examination } from '../../../src/operator/api-types.ts'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useSession } from '../sign-in/session.tsx'
import { checkRows, LOOKS } from './checks.tsx'

/** What is not measured all the time: asked for, because it calls the gateway. */
export function Doctor() {
  const [found, setFound] = useState<Examination>()
  const { api } = useSession()
  return (
    <section className="card" aria-label="Settings and surroundings">
      <header>
        <h2>Settings and surroundings</h2>
        {found && <Badge look={LOOKS[found.state]}>{found.state}</Badge>}
      </header>
      <p className="hint">
        The checks of <code>paddock doctor</code>: settings, files, disk, memory, database, certificates, the public
        address, the gateway and clocks. They change nothing, and take some seconds.
      </p>
      {found && (
        <>
          <DataTable
            label="Settings and surroundings"
            columns={['Check', 'State', 'Detail']}
            rows={checkRows(found.checks)}
          />
          <p className="quiet">
            As of <DateTime at={found.at} />.
          </p>
        </>
      )}
      <div className="buttons">
        <ActionButton action={async () => setFound(await api('runDoctor'))}>
          {found ? 'Run the checks again' : 'Run the checks'}
        </ActionButton>
      </div>
    </section>
  )
}
