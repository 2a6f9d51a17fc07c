import { useEffect, useRef, useState } from 'react'
import { type Page, useGrowingList } from '../../../web/load.ts'
import type { Statement, StatementLine } from '../answers.ts'
import { Empty, ProblemPanel, Skeletons } from '../parts/states.tsx'
import { Segments } from '../parts/tabs.tsx'
import { useSession } from '../session.tsx'
import { firstDay, lineTitle, PERIODS, type Period, pounds, signedPounds } from '../statement-words.ts'
import styles from './statement.module.css'

/** How many lines are added at once. */
const BLOCK = 20

/** `statement`: its sums, as of the last block. */
type Block = Page<StatementLine, number> & { readonly statement: Statement }

/** `version` grows with what happens to the money: the lines are loaded again. */
export function StatementSection({ version }: { version: number }) {
  const [period, setPeriod] = useState<Period>('quarter')
  const { state, more, reload } = useStatement(period, version)
  const { items, last, error, isLoading } = state
  return (
    <section aria-labelledby="statement-title" aria-busy={isLoading}>
      <h2 id="statement-title">Statement</h2>
      <Segments label="Period" choices={PERIODS} value={period} choose={setPeriod} />
      {error !== undefined && <ProblemPanel error={error} retry={reload} />}
      {items === undefined && error === undefined && <Skeletons shape="row" count={3} />}
      {items !== undefined && last !== undefined && (
        <Lines
          lines={items}
          statement={last.statement}
          hasMore={last.next !== null}
          more={more}
          isLoading={isLoading}
        />
      )}
    </section>
  )
}

function useStatement(period: Period, version: number) {
  const { paddock } = useSession()
  // Blocks do not move: new lines come at the end.
  const loadPage = async (from: number | null, least: number): Promise<Block> => {
    const items: StatementLine[] = []
    for (let blockNum = from ?? 0; ; blockNum++) {
      const statement = await paddock.getMyStatement({ from: firstDay(period), blockSize: BLOCK, blockNum })
      items.push(...statement.line)
      if (statement.line.length < BLOCK) return { items, next: null, statement }
      if (items.length >= least) return { items, next: blockNum + 1, statement }
    }
  }
  const { state, load } = useGrowingList<StatementLine, number, Block>(period, { loadPage, least: BLOCK })
  // With the block that is on its way: the lines that are loaded again take its place.
  const wanted = useRef({ period, lines: BLOCK })
  if (wanted.current.period !== period) wanted.current = { period, lines: BLOCK }
  const reload = () => load(null, wanted.current.lines)
  const loaded = useRef(version)
  useEffect(() => {
    if (loaded.current === version) return
    loaded.current = version
    reload()
  })
  const more = () => {
    wanted.current.lines = (state.items?.length ?? 0) + BLOCK
    load(state.last?.next ?? null, BLOCK)
  }
  return { state, reload, more }
}

type LinesProps = {
  lines: readonly StatementLine[]
  statement: Statement
  hasMore: boolean
  more(): void
  isLoading: boolean
}

function Lines({ lines, statement, hasMore, more, isLoading }: LinesProps) {
  const { from, to, opening, closing, netDeposits } = statement
  // Lines have no id, and the list only grows at its end.
  const numbered = lines.map((line, number) => ({ number, line }))
  return (
    <>
      <dl className={styles.sums}>
        <Sum name={`Balance before ${DAY.format(from)}`} value={`£${opening}`} />
        <Sum name={`Balance after ${DAY.format(to)}`} value={`£${closing}`} />
        <Sum name="Net deposits, since you joined" value={pounds(netDeposits)} />
      </dl>
      {lines.length === 0 ? (
        <Empty title="Nothing happened in this time" />
      ) : (
        <ol className="list rows" aria-label="Lines of the statement">
          {numbered.map(({ number, line }) => (
            <li key={number}>
              <Line line={line} />
            </li>
          ))}
        </ol>
      )}
      {hasMore && (
        <button type="button" className="wide" aria-disabled={isLoading} onClick={isLoading ? undefined : more}>
          Show more
        </button>
      )}
    </>
  )
}

// As the service cuts days.
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Line({ line: { type, amount, balance, dateTimeZoned, reference } }: { line: StatementLine }) {
  return (
    <div className={styles.line}>
      <span className="row-text">
        <strong>{lineTitle(type)}</strong>
        <span className="quiet">
          <time dateTime={dateTimeZoned.toISOString()}>{TIME.format(dateTimeZoned)}</time>
          {reference !== undefined && ` · ${reference}`}
        </span>
      </span>
      <span className={styles.amounts}>
        <strong>{signedPounds(amount)}</strong>
        <span className="quiet">Balance £{balance}</span>
      </span>
    </div>
  )
}
