import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Health } from '../../../src/operator/api-types.ts'
import { useCounts } from '../api/live.tsx'
import { useRefresh } from '../api/refresh.ts'
import { useResource } from '../api/resource.ts'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { checkRows, Detail, type Judged, LOOKS, StateBadge } from './checks.tsx'
import { Doctor } from './doctor.tsx'
import styles from './health-screen.module.css'
import { MinuteChart } from './minute-chart.tsx'

const EVERY_MS = 5_000

const WORDS = {
  good: 'Everything works',
  warning: 'Needs attention',
  critical: 'Needs attention now',
}

const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })

export function HealthScreen() {
  const [paused, setPaused] = useState(false)
  const health = useResource('readHealth')
  useRefresh(health, EVERY_MS, paused)
  return (
    <>
      <ScreenHeader title="Health">
        <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          {paused ? 'Resume' : 'Pause'}
        </button>
      </ScreenHeader>
      <ResourceView resource={health}>{(answer) => <Report health={answer} />}</ResourceView>
    </>
  )
}

function Report({ health }: { health: Health }) {
  const { checks, processes, replicas, queues, minutes, operations } = health
  return (
    <>
      <Summary health={health} />
      <TableCard title="Checks" columns={['Check', 'State', 'Detail']} rows={checkRows(checks)} />
      <Doctor />
      {queues !== null && <Queues queues={queues} />}
      <MinuteChart minutes={minutes} />
      <Processes processes={processes} ends={health.workerEnds} />
      {replicas.length > 0 && <Replicas replicas={replicas} />}
      <Operations operations={operations} />
    </>
  )
}

/** The problems first: who opens this page wants to know what to do. */
function Summary({ health }: { health: Health }) {
  const { state, version, engine, startedAt, ready } = health
  const problems = problemsOf(health)
  return (
    <section className="card" aria-label="Summary">
      <header>
        <h2>{WORDS[state]}</h2>
        <Badge look={LOOKS[state]}>{state}</Badge>
      </header>
      {problems.length > 0 && (
        <ul className={styles.healthProblems}>
          {problems.map(({ title, advice, state: its }) => (
            <li key={title}>
              <Badge look={LOOKS[its]}>{its}</Badge> <strong>{title}.</strong> {advice}
            </li>
          ))}
        </ul>
      )}
      <p className="quiet">
        {ready ? 'Ready' : 'Not ready'} · version {version} · {engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} · running
        for <time dateTime={startedAt}>{durationText((Date.parse(health.at) - Date.parse(startedAt)) / 1000)}</time>
      </p>
    </section>
  )
}

type Titled = Judged & { title: string }

function problemsOf({ checks, queues, processes, replicas }: Health): Titled[] {
  const all: Titled[] = [
    ...checks,
    ...(queues ?? []),
    ...processes.map((one) => ({ ...one, title: processName(one) })),
    ...replicas.map((one) => ({ ...one, title: one.name })),
  ]
  const bad = all.filter(({ state }) => state !== 'good')
  return bad.sort((one, other) => Number(other.state === 'critical') - Number(one.state === 'critical'))
}

type TableCardProps = Pick<ComponentProps<typeof DataTable>, 'columns' | 'rows'> & {
  title: string
  hint?: string
  /** Below the table. */
  children?: ReactNode
}

function TableCard({ title, hint, columns, rows, children }: TableCardProps) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {hint && <p className="hint">{hint}</p>}
      <DataTable label={title} columns={columns} rows={rows} />
      {children}
    </section>
  )
}

function Queues({ queues }: { queues: NonNullable<Health['queues']> }) {
  const counts = useCounts()
  const ofPeople = counts && [
    { title: 'Withdrawals for approval or without a result', ...counts.withdrawals },
    { title: 'Disputes with a deadline for evidence', ...counts.disputes },
  ]
  return (
    <TableCard
      title="Queues"
      columns={['Queue', 'Waiting', 'Oldest', 'State']}
      rows={[
        ...queues.map(rowOf),
        ...(ofPeople ?? []).map(({ title, waiting }) => ({
          key: title,
          cells: [title, number.format(waiting), '', ''],
        })),
      ]}
    />
  )
}

function rowOf(queue: NonNullable<Health['queues']>[number]) {
  return {
    key: queue.name,
    cells: [
      queue.title,
      number.format(queue.waiting),
      queue.oldestSeconds === null ? 'none' : durationText(queue.oldestSeconds),
      <span key="state">
        <StateBadge of={queue} /> {queue.advice && <span className="quiet">{queue.advice}</span>}
      </span>,
    ],
  }
}

type Process = Health['processes'][number]

function processName({ number: worker, pid }: Process): string {
  return worker === 0 ? `Process ${pid}` : `Worker ${worker}`
}

function Processes({ processes, ends }: { processes: readonly Process[]; ends: Health['workerEnds'] }) {
  return (
    <TableCard
      title="Processes"
      columns={['Process', 'Process ID', 'State', 'Started', 'Memory', 'Requests per second']}
      rows={processes.map((one) => ({
        key: String(one.pid),
        cells: [
          one.number === 0 ? 'Main process' : processName(one),
          String(one.pid),
          <Badge key="state" look={LOOKS[one.state]}>
            {one.doing}
          </Badge>,
          <DateTime key="started" at={one.startedAt} />,
          one.memoryBytes === null ? 'not known' : `${number.format(one.memoryBytes / 1e6)} MB`,
          one.requestsPerSecond === null ? 'not known' : number.format(one.requestsPerSecond),
        ],
      }))}
    >
      {ends.last !== null && (
        <p className="quiet">
          Workers that ended and were replaced: {ends.count}. The last one: <DateTime at={ends.last.at} />,{' '}
          {ends.last.why}.
        </p>
      )}
    </TableCard>
  )
}

function Replicas({ replicas }: { replicas: Health['replicas'] }) {
  return (
    <TableCard
      title="Replicas"
      columns={['Replica', 'State', 'Behind', 'Problem']}
      rows={replicas.map((one) => ({
        key: one.name,
        cells: [
          one.name,
          <Badge key="state" look={LOOKS[one.state]}>
            {one.problem === null ? 'in use' : 'left out'}
          </Badge>,
          `${number.format(one.behindMs)} ms`,
          <Detail key="problem" detail={one.problem === null ? 'none' : `${one.problem}.`} advice={one.advice} />,
        ],
      }))}
    />
  )
}

/** A percentile of fewer requests is meaningless. */
const FEWEST = 20

function Operations({ operations }: { operations: Health['operations'] }) {
  if (operations.length === 0) return null
  return (
    <TableCard
      title="Slowest operations"
      hint={`Since the start. Half of the requests took at most the median. Times are shown from ${FEWEST} requests on.`}
      columns={['Operation', 'Requests', 'Median', '95%', '99%']}
      rows={operations.map((one) => ({
        key: one.name,
        cells: [
          <code key="name">{one.name}</code>,
          number.format(one.count),
          ...[one.p50Ms, one.p95Ms, one.p99Ms].map((value) =>
            one.count < FEWEST ? 'too few' : `${number.format(value)} ms`,
          ),
        ],
      }))}
    />
  )
}

const UNITS: [seconds: number, unit: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/** In the largest unit that it has at least two of, so that it changes rarely and is precise enough. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [size, unit] = UNITS.find(([length]) => whole >= 2 * length) ?? [1, 'second']
  const count = Math.floor(whole / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
