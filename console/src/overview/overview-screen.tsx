import { type ReactNode, useState } from 'react'
import { type Resource, useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import chartStyles from '../parts/chart.module.css'
import { SelectField } from '../parts/fields.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { LedgerState } from '../wallets/ledger-state.tsx'
import { WaitingDeposits } from '../wallets/waiting-deposits.tsx'
import { DayChart } from './day-chart.tsx'
import type { Chart } from './day-plot.tsx'
import styles from './overview-screen.module.css'
import { countCharts, moneyCharts } from './statistics-charts.ts'

const PERIODS = ['7', '30', '90'].map((days) => ({ value: days, label: `${days} days` }))

export function OverviewScreen() {
  const may = usePermission()
  const maySeeMoney = may('readMoneyStatistics')
  const maySeeCommunity = may('readStatistics')
  const [days, setDays] = useState('30')
  const money = useResource(maySeeMoney ? 'readMoneyStatistics' : null, { query: { days } })
  const community = useResource(maySeeCommunity ? 'readStatistics' : null, { query: { days } })
  return (
    <>
      <ScreenHeader title="Overview">
        <SelectField label="Period" value={days} onChange={setDays} options={PERIODS} />
      </ScreenHeader>
      {maySeeMoney && (
        <Charts title="Money" resource={money} charts={moneyCharts}>
          {may('readLastLedgerCheck') && <LedgerState />}
          {may('readWaitingDeposits') && <WaitingDeposits />}
        </Charts>
      )}
      {maySeeCommunity && <Charts title="Community" resource={community} charts={countCharts} />}
    </>
  )
}

type ChartsProps<Answer> = {
  title: string
  resource: Resource<Answer>
  charts: (answer: Answer) => Chart[]
  children?: ReactNode
}

function Charts<Answer>({ title, resource, charts, children }: ChartsProps<Answer>) {
  return (
    <section className={styles.chartSection} aria-labelledby={`charts-${title}`}>
      <h2 id={`charts-${title}`}>{title}</h2>
      {children}
      <ResourceView resource={resource}>
        {(answer) => (
          <div className={chartStyles.charts} aria-busy={resource.loading}>
            {charts(answer).map((chart) => (
              <DayChart key={chart.title} chart={chart} />
            ))}
          </div>
        )}
      </ResourceView>
    </section>
  )
}
