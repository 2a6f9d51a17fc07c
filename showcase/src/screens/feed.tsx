import { useEffect, useEffectEvent } from 'react'
import { useHistoryState } from '../../../web/history-state.ts'
import { linkTo } from '../../../web/route.ts'
import { useGrowing } from '../grow.ts'
import { useLive } from '../live.tsx'
import { useLiveCounts } from '../live-outcomes.ts'
import { Empty } from '../parts/states.tsx'
import { Segments } from '../parts/tabs.tsx'
import { TipList } from '../parts/tip-list.tsx'
import { useReloadOn } from '../reload.ts'
import { useSession } from '../session.tsx'
import { counted } from '../words.ts'
import styles from './feed.module.css'

const ORDERS = [
  { value: 'R', label: 'Latest' },
  { value: 'L', label: 'Most liked' },
  { value: 'E', label: 'Starting soon' },
] as const
const STATUSES = [
  { value: 'A', label: 'Open' },
  { value: 'W', label: 'Winners' },
] as const

type Order = (typeof ORDERS)[number]['value']
type Status = (typeof STATUSES)[number]['value']

export default function Feed() {
  const { paddock } = useSession()
  const [sortOrder, setSortOrder] = useHistoryState<Order>('order', 'R')
  const [status, setStatus] = useHistoryState<Status>('status', 'A')
  const list = useGrowing(`${sortOrder}${status}`, () => paddock.feed({ sortOrder, status, details: true }), 10)
  const { newTips, forgetNewTips } = useLive()
  const { settled } = useLiveCounts()

  // The list is loaded now.
  const forget = useEffectEvent(forgetNewTips)
  useEffect(() => forget(), [])
  // An open tip that is settled stays, with its result; a winner is one more in its list.
  useReloadOn(status === 'W' ? settled : 0, list.reload)

  // Another order or status is another list, and loaded now.
  function chooseOrder(order: Order): void {
    forgetNewTips()
    setSortOrder(order)
  }

  function chooseStatus(which: Status): void {
    forgetNewTips()
    setStatus(which)
  }

  function showNew(): void {
    forgetNewTips()
    list.reload()
    scrollTo({ top: 0 })
  }

  return (
    <>
      <h1 tabIndex={-1}>Your feed</h1>
      <div className="filters">
        <Segments label="Order" choices={ORDERS} value={sortOrder} choose={chooseOrder} />
        <Segments label="Which tips" choices={STATUSES} value={status} choose={chooseStatus} />
      </div>
      {newTips > 0 && (
        <button type="button" className={`${styles.newTips} primary`} onClick={showNew}>
          Show {counted(newTips, 'new tip')}
        </button>
      )}
      <TipList label="Tips of those you follow" list={list} empty={<NoTips status={status} />} />
    </>
  )
}

function NoTips({ status }: { status: Status }) {
  return status === 'W' ? (
    <Empty title="No winners yet">
      <p>Winning tips of those you follow appear here. Play the afternoon to see results come in.</p>
    </Empty>
  ) : (
    <Empty title="Nothing open right now">
      <p>Follow more tipsters, and their tips appear here.</p>
      <a className="button primary" href={linkTo('discover')}>
        Find tipsters
      </a>
    </Empty>
  )
}
