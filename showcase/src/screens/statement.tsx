import { useState } from 'react'
import { useLoad } from '../../../web/load.ts'
import { lineTitle } from '../../../web/words/ledger.ts'
import type { PaymentMethod, Statement, StatementLine } from '../answers.ts'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { Segments } from '../parts/tabs.tsx'
import { useSession } from '../session.tsx'
import { firstDay, PERIODS, type Period, pounds, signedPounds } from '../statement-words.ts'
import { cardText } from '../words.ts'
import styles from './statement.module.css'

/** How many lines a page has. */
const LINES = 20

type SectionProps = { /** Grows with what happens to the money: the page is loaded again. */ version: number }

export function StatementSection({ version }: SectionProps) {
  const { paddock } = useSession()
  const [{ period, page }, show] = useState<{ period: Period; page: number }>({ period: 'quarter', page: 0 })
  const load = async () => ({
    cards: await paddock.getPaymentMethods(),
    page,
    statement: await paddock.getMyStatement({
      from: firstDay(period),
      order: 'newest',
      blockSize: LINES,
      blockNum: page,
    }),
  })
  // One key: the page before stays until the next one is there.
  const loaded = useLoad('statement', load, `${version} ${period} ${page}`)
  return (
    <section aria-labelledby="statement-title" aria-busy={loaded.isLoading}>
      <h2 id="statement-title">Statement</h2>
      <Segments
        label="Period"
        choices={PERIODS}
        value={period}
        choose={(chosen) => show({ period: chosen, page: 0 })}
      />
      <LoadView loaded={loaded} skeleton={<Skeletons shape="row" count={3} />}>
        {({ statement, cards, page: shown }) => (
          <>
            <Sums statement={statement} />
            <Lines statement={statement} cards={cards} />
            <Pages statement={statement} page={shown} open={(next) => show({ period, page: next })} />
          </>
        )}
      </LoadView>
    </section>
  )
}

// As the service cuts days.
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function Sums({ statement: { from, to, opening, closing, netDeposits } }: { statement: Statement }) {
  return (
    <dl className={styles.sums}>
      <Sum name={`Balance before ${DAY.format(from)}`} value={`£${opening}`} />
      <Sum name={`Balance after ${DAY.format(to)}`} value={`£${closing}`} />
      <Sum name="Net deposits, since you joined" value={pounds(netDeposits)} />
    </dl>
  )
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

type LinesProps = { statement: Statement; cards: readonly PaymentMethod[] }

function Lines({ statement: { line: lines }, cards }: LinesProps) {
  if (lines.length === 0) return <Empty title="Nothing happened in this time" />
  // Lines have no id, and a page is replaced as a whole.
  const numbered = lines.map((line, number) => ({ number, line }))
  return (
    <ol className="list rows" aria-label="Lines of the statement, newest first">
      {numbered.map(({ number, line }) => (
        <li key={number}>
          <Line line={line} cards={cards} />
        </li>
      ))}
    </ol>
  )
}

function Line({ line, cards }: { line: StatementLine; cards: readonly PaymentMethod[] }) {
  const { type, amount, balance, dateTimeZoned, about, methodId } = line
  const what = about ?? (methodId === undefined ? undefined : cardText(cards, methodId))
  return (
    <div className={styles.line}>
      <span className="row-text">
        <strong>{lineTitle(type)}</strong>
        {what !== undefined && <span>{what}</span>}
        <span className="quiet">
          <time dateTime={dateTimeZoned.toISOString()}>{TIME.format(dateTimeZoned)}</time>
        </span>
      </span>
      <span className={styles.amounts}>
        <strong>{signedPounds(amount)}</strong>
        <span className="quiet">Balance £{balance}</span>
      </span>
    </div>
  )
}

type PagesProps = { statement: Statement; page: number; open(page: number): void }

/** Which lines these are, of how many, and of which days. */
function Pages({ statement: { line: lines, numLines }, page, open }: PagesProps) {
  const [newest, oldest] = [lines[0], lines.at(-1)]
  if (newest === undefined || oldest === undefined) return null
  const first = page * LINES + 1
  const days = [...new Set([oldest, newest].map(({ dateTimeZoned }) => DAY.format(dateTimeZoned)))].join(' to ')
  return (
    <nav className={styles.pages} aria-label="Pages of the statement">
      <button type="button" disabled={page === 0} onClick={() => open(page - 1)}>
        Newer
      </button>
      <p role="status">
        <strong>
          {first} to {first + lines.length - 1} of {numLines}
        </strong>
        <span className="quiet">{days}, UTC</span>
      </p>
      <button type="button" disabled={first + lines.length > numLines} onClick={() => open(page + 1)}>
        Older
      </button>
    </nav>
  )
}
