import { useLoad } from '../../../web/load.ts'
import type { RecordTip } from '../answers.ts'
import { useMatchDay } from '../match-day.tsx'
import { ProfitCurve } from '../parts/profit-curve.tsx'
import { Figures } from '../parts/record-figures.tsx'
import row from '../parts/row.module.css'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { dayText, signed } from '../words.ts'
import styles from './record-view.module.css'

/** The curve shows the newest ones. */
const MAX_TIPS = 400
const LATEST = 8

export default function RecordView({ profileId: id, name }: { profileId: number; name: string }) {
  const { paddock } = useSession()
  const { version } = useMatchDay()
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
              <ProfitCurve tips={tips} />
              <LatestResults tips={tips.slice(0, LATEST)} />
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

const RESULTS: Readonly<Record<string, readonly [string, string]>> = {
  W: ['won', 'Won'],
  L: ['lost', 'Lost'],
  V: ['void', 'Void'],
}

/** Losing and withdrawn tips too: a record cannot be polished. */
function LatestResults({ tips }: { tips: readonly RecordTip[] }) {
  return (
    <>
      <h2>Latest results</h2>
      <ul className="list rows">
        {tips.map((tip) => {
          const [className, text] = RESULTS[tip.status] ?? ['void', 'Void']
          return (
            <li key={tip.id} className={`${row.row} ${styles.result}`}>
              <span className={`badge ${className}`}>{text}</span>
              <span className="row-text">
                <strong>{tip.event.market.outcome.name}</strong>
                <span className="quiet">
                  {tip.event.name} · {dayText(tip.settled)}
                  {tip.isWithdrawn && ' · withdrawn'}
                </span>
              </span>
              <span className={styles.price}>{tip.price ?? tip.startingPrice ?? 'SP'}</span>
              <strong className={Number(tip.profit) < 0 ? 'bad' : 'good'}>{signed(tip.profit)}</strong>
            </li>
          )
        })}
      </ul>
    </>
  )
}
