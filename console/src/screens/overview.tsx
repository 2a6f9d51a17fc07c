import { type ReactNode, useState } from 'react'
import { Field, Progress, ScreenHeader } from '../parts/basics.tsx'
import { type Chart, DayChart } from '../parts/day-chart.tsx'
import { LedgerState } from '../parts/ledger-state.tsx'
import { Problem } from '../parts/problem.tsx'
import { useResource } from '../resource.ts'
import { usePermission } from '../session.tsx'
import { countCharts, type MoneyStatistics, moneyCharts, type Statistics } from '../statistics-charts.ts'

const SPANS = [7, 30, 90]

export function OverviewScreen() {
  const may = usePermission()
  const [span, setSpan] = useState(30)
  return (
    <>
      <ScreenHeader title="Overview">
        <Field label="Show the last">
          {(ids) => (
            <select {...ids} value={span} onChange={(event) => setSpan(Number(event.target.value))}>
              {SPANS.map((days) => (
                <option key={days} value={days}>
                  {days} days
                </option>
              ))}
            </select>
          )}
        </Field>
      </ScreenHeader>
      {may('GET /statistics/money') && (
        <Charts<MoneyStatistics> title="Money" path={`/statistics/money?days=${span}`} charts={moneyCharts}>
          {may('GET /ledger/last-check') && <LedgerState />}
        </Charts>
      )}
      <Charts<Statistics> title="Community" path={`/statistics?days=${span}`} charts={countCharts} />
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
  const { answer, refusal, loading, reload } = useResource<Answer>(path)
  return (
    <section className="chart-section" aria-labelledby={`charts-${title}`}>
      <h2 id={`charts-${title}`}>{title}</h2>
      {children}
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress label="Counting" />}
      <div className="charts" aria-busy={loading}>
        {answer !== undefined && charts(answer).map((chart) => <DayChart key={chart.title} chart={chart} />)}
      </div>
    </section>
  )
}
