import { useState } from 'react'
import { useLoad } from '../../../web/load.ts'
import { utcDayText } from '../../../web/relative-time.ts'
import type { RecordTip } from '../answers.ts'
import { useGrowing } from '../grow.ts'
import { useOutcomesWatched } from '../live-outcomes.ts'
import { OddsText } from '../odds.tsx'
import { GrownList } from '../parts/grown-list.tsx'
import { ProfitCurve } from '../parts/profit-curve.tsx'
import { Figures } from '../parts/record-figures.tsx'
import row from '../parts/row.module.css'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { Segments } from '../parts/tabs.tsx'
import { useReloadOn } from '../reload.ts'
import { useSession } from '../session.tsx'
import { badgeOf, pointsText, termsOf } from '../settlement-words.ts'
import { signed } from '../words.ts'
import styles from './record-view.module.css'

/** The curve shows the newest ones. */
const MAX_TIPS = 400

type RecordProps = { profileId: number; name: string /** Another one loads it again. */; version: number }

export default function RecordView({ profileId: id, name, version }: RecordProps) {
  const { paddock } = useSession()
  const load = async () => {
    const [{ record }, tips] = await Promise.all([
      paddock.getRecord({ id }),
      firstOf(paddock.each.getRecordTips({ id, blockSize: 100 })),
    ])
    return { record, tips }
  }
  const loaded = useLoad(`record ${id}`, load, version)
  return (
    <section className={styles.record} aria-label={`Record of ${name}`}>
      <LoadView loaded={loaded} skeleton={<Skeletons shape="block" count={2} />}>
        {({ record, tips }) =>
          record.numSettled === 0 ? (
            <Empty title="No settled tips yet">
              <p>The record begins with the first result.</p>
            </Empty>
          ) : (
            <>
              <Figures record={record} />
              <ProfitCurve tips={tips} numSettled={record.numSettled} />
              <Results profileId={id} version={version} />
            </>
          )
        }
      </LoadView>
    </section>
  )
}

async function firstOf(tips: AsyncIterable<RecordTip>): Promise<RecordTip[]> {
  const found: RecordTip[] = []
  for await (const tip of tips) {
    found.push(tip)
    if (found.length === MAX_TIPS) break
  }
  return found
}

const CHOICES = [
  { value: '', label: 'All' },
  { value: 'W', label: 'Won' },
  { value: 'L', label: 'Lost' },
  { value: 'V', label: 'Void' },
] as const
type Choice = (typeof CHOICES)[number]['value']
const EMPTY: Readonly<Record<Choice, string>> = {
  '': 'No results',
  W: 'No tip has won',
  L: 'No tip has lost',
  V: 'No tip was void',
}

/** As many as the stream can watch beside what else is on the page. */
const MAX_WATCHED = 50

/** Losing and withdrawn tips too: a record cannot be polished. The newest are watched, because results are corrected. */
function Results({ profileId: id, version }: { profileId: number; version: number }) {
  const { paddock } = useSession()
  const [status, setStatus] = useState<Choice>('')
  const open = () => paddock.each.getRecordTips({ id, status: status || undefined, blockSize: 20 })
  const list = useGrowing(`results ${id} ${status}`, open, 10)
  useReloadOn(version, list.reload)
  useOutcomesWatched((list.items ?? []).slice(0, MAX_WATCHED).map(({ event }) => event.market.outcome.id))
  return (
    <>
      <header className={`section-head ${styles.results}`}>
        <h2>Every result</h2>
        <Segments label="Which results" choices={CHOICES} value={status} choose={setStatus} />
      </header>
      <GrownList
        label="Results"
        list={list}
        shape="row"
        keyOf={(tip) => tip.id}
        empty={<Empty title={EMPTY[status]} />}
      >
        {(tip) => <Result tip={tip} />}
      </GrownList>
    </>
  )
}

function Result({ tip }: { tip: RecordTip }) {
  const [className, text] = badgeOf(tip.result, tip)
  const terms = new Set(termsOf(tip).map(({ short }) => short))
  return (
    <div className={`${row.row} ${styles.result}`}>
      <span className={`badge ${className}`}>{text}</span>
      <span className="row-text">
        <strong>{tip.event.market.outcome.name}</strong>
        <span className="quiet">
          {[tip.event.name, utcDayText(tip.settled), ...terms, ...(tip.isWithdrawn ? ['withdrawn'] : [])].join(' · ')}
        </span>
      </span>
      <span className={styles.figures}>
        <strong className={Number(tip.profit) < 0 ? 'bad' : 'good'}>{signed(tip.profit)}</strong>
        <span className="quiet">
          {tip.status === 'V' ? 'nothing' : pointsText(tip.staked)} at{' '}
          <OddsText odds={{ priceFrac: tip.price ?? tip.startingPrice }} />
        </span>
      </span>
    </div>
  )
}
