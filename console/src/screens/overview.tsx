import { type ReactNode, useState } from 'react'
import type { MoneyStatistics, Statistics } from '../../../src/operator/api-types.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { type Chart, DayChart } from '../parts/day-chart.tsx'
import { SelectField } from '../parts/fields.tsx'
import { LedgerState } from '../parts/ledger-state.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { WaitingDeposits } from '../parts/waiting-deposits.tsx'
import { useResource } from '../resource.ts'
import { usePermission } from '../session.tsx'
import { countCharts, moneyCharts } from '../statistics-charts.ts'

const PERIODS = ['7', '30', '90'].map((days) => ({ value: days, label: `${days} days` }))

export function OverviewScreen() {
  const may = usePermission()
  const [days, setDays] = useState('30')
  return (
    <>
      <ScreenHeader title="Overview">
        <SelectField label="Period" value={days} onChange={setDays} options={PERIODS} />
      </ScreenHeader>
      {may('GET /statistics/money') && (
        <Charts<MoneyStatistics> title="Money" path={`/statistics/money?days=${days}`} charts={moneyCharts}>
          {may('GET /ledger/last-check') && <LedgerState />}
          {may('GET /statistics/waiting-deposits') && <WaitingDeposits />}
        </Charts>
      )}
      <Charts<Statistics> title="Community" path={`/statistics?days=${days}`} charts={countCharts} />
    </>
  )
}

type ChartsProps<Answer> = {
  title: string
  path: string
  charts: (answer: Answer) => Chart[]
  children?: ReactNode
}

function Charts<Answer>({ title, path, charts, children }: ChartsProps<Answer>) {
  const resource = useResource<Answer>(path)
  return (
    <section className="chart-section" aria-labelledby={`charts-${title}`}>
      <h2 id={`charts-${title}`}>{title}</h2>
      {children}
      <ResourceView resource={resource}>
        {(answer) => (
          <div className="charts" aria-busy={resource.loading}>
            {charts(answer).map((chart) => (
              <DayChart key={chart.title} chart={chart} />
            ))}
          </div>
        )}
      </ResourceView>
    </section>
  )
}
