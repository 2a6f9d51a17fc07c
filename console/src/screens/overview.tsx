import { useState } from 'react'
import { DayChart, type Series } from '../chart.tsx'
import { useLoaded } from '../loading.ts'
import { Field, Progress, ScreenHead } from '../parts/basics.tsx'
import { Problem } from '../parts/problem.tsx'

const SPANS = [7, 30, 90]

export function OverviewScreen() {
  const [span, setSpan] = useState(30)
  const { answer, refusal, loading, reload } = useLoaded<{ days: string[]; series: Series[] }>(
    `/statistics?days=${span}`,
  )
  return (
    <>
      <ScreenHead title="Overview">
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
      </ScreenHead>
      {refusal && <Problem refusal={refusal} onRetry={reload} />}
      {answer === undefined && loading && <Progress label="Counting" />}
      <div className="charts" aria-busy={loading}>
        {answer?.series.map((series) => (
          <DayChart key={series.name} days={answer.days} series={series} />
        ))}
      </div>
    </>
  )
}
