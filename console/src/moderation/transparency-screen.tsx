import type { Transparency } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import { GROUNDS, REASON_LABELS } from '../../../web/words/moderation.ts'
import { subjectText } from '../../../web/words/subjects.ts'
import { useResource } from '../api/resource.ts'
import { ActionButton } from '../parts/action.tsx'
import { Badge, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { countText } from '../parts/numbers.ts'
import { PeriodForm } from '../parts/period-form.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { saveAsFile } from '../parts/save-as-file.ts'
import { useSession } from '../sign-in/session.tsx'
import { useClauseTitle } from './clause-title.ts'
import { actionResult } from './subject.ts'

/** What an operator publishes about moderation, for a period that is part of the address. */
export function TransparencyScreen({ query }: { query: URLSearchParams }) {
  const { api } = useSession()
  const period = { from: query.get('from') ?? '', to: query.get('to') ?? '' }
  const report = useResource('readTransparency', { query: period })
  const from = period.from || report.answer?.from
  const to = period.to || report.answer?.to
  const download = async () => saveAsFile('statements.csv', await api('exportStatements', { query: period }))

  return (
    <>
      <ScreenHeader title="Transparency">
        <button type="button" onClick={() => print()} aria-disabled={report.answer === undefined}>
          Print the report
        </button>
        <ActionButton action={download}>Download statements (CSV)</ActionButton>
      </ScreenHeader>
      <p className="lead">
        How many decisions were made in a period, why, how fast, and how many did not hold. Without personal data, so
        that it can be published.
      </p>
      {report.answer && (
        <p>
          <strong>
            Moderation from {inWords(report.answer.from)} to {inWords(report.answer.to)} (UTC)
          </strong>
        </p>
      )}
      {/* Also beside a refused period, to correct it. */}
      {from && to && (
        <PeriodForm
          key={`${from} ${to}`}
          linkOf={(days) => `${linkTo('transparency')}?${new URLSearchParams(days)}`}
          from={from}
          to={to}
        />
      )}
      <ResourceView resource={report}>{(answer) => <Report report={answer} />}</ResourceView>
    </>
  )
}

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const inWords = (day: string) => longDate.format(new Date(day))

function Report({ report: { decisions, medianHoursToDecision, flags, appeals } }: { report: Transparency }) {
  const clauseTitle = useClauseTitle()
  const total = decisions.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <dl className="facts panel">
        <Figure title="Decisions" value={total} />
        <Figure title="Median hours from flag to decision" value={medianHoursToDecision} />
        <Figure title="Flags received" value={flags.reduce((sum, { count }) => sum + count, 0)} />
        <Figure title="Appeals made" value={appeals.made} />
        <Figure title="Upheld" value={appeals.upheld} />
        <Figure title="Overturned" value={appeals.overturned} />
        <Figure title="Waiting" value={appeals.open} />
        <Figure title="Median hours to an answer" value={appeals.medianHours} />
      </dl>
      <h2>Decisions</h2>
      {decisions.length === 0 ? (
        <p className="quiet">None in this period.</p>
      ) : (
        <DataTable
          label="Decisions"
          columns={['Action', 'About', 'Ground', 'Clause', 'Made by', 'Decisions', 'Overturned']}
          rows={decisions.map(({ kind, action, ground, clause, automated, count, overturned }) => ({
            key: `${kind} ${action} ${ground} ${clause} ${automated}`,
            cells: [
              actionResult(kind, action),
              subjectText(kind),
              ground === null ? '' : GROUNDS[ground],
              clause === null ? '' : clauseTitle(clause),
              automated ? <Badge key="automated">software</Badge> : 'people',
              countText(count),
              countText(overturned),
            ],
          }))}
        />
      )}
      <h2>Flags by reason</h2>
      {flags.length === 0 ? (
        <p className="quiet">None in this period.</p>
      ) : (
        <DataTable
          label="Flags by reason"
          columns={['Reason', 'Flags']}
          rows={flags.map(({ reason, count }) => ({
            key: reason ?? '',
            cells: [reason === null ? 'None given' : REASON_LABELS[reason], countText(count)],
          }))}
        />
      )}
    </>
  )
}

function Figure({ title, value }: { title: string; value: number | null }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value === null ? '–' : countText(value)}</dd>
    </div>
  )
}
