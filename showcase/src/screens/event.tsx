import { useLoad } from '../../../web/load.ts'
import type { SportsEvent, Tip } from '../answers.ts'
import { EventHead } from '../events/event-head.tsx'
import { EventMarketView } from '../events/event-market.tsx'
import { outcomesOf } from '../events/event-state.ts'
import { useGrowing } from '../grow.ts'
import { useEvent, useLiveCounts } from '../live-outcomes.ts'
import { GrownList } from '../parts/grown-list.tsx'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { TipCard } from '../parts/tip-card.tsx'
import { useReloadOn } from '../reload.ts'
import { useSession } from '../session.tsx'
import { useTitle } from '../title.ts'
import styles from './event.module.css'
import { BackLink } from './tip.tsx'

/** A match or a race: its state, its prices over time, everybody's tips on it, and how it was settled. */
export default function EventScreen({ id }: { id: number }) {
  const { paddock } = useSession()
  const event = useLoad(`event ${id}`, () => paddock.getEvent({ id }))
  useTitle(event.answer?.name ?? 'Match')
  const { events, settled } = useLiveCounts()
  useReloadOn(events + settled, event.reload)
  return (
    <>
      <BackLink />
      <LoadView loaded={event} skeleton={<Skeletons shape="block" count={2} />} heading="Match">
        {(loaded) => <EventInFull event={loaded} />}
      </LoadView>
    </>
  )
}

function EventInFull({ event: loaded }: { event: SportsEvent }) {
  const event = useEvent(loaded)
  return (
    <>
      <EventHead event={event} />
      {event.market.map((market) => (
        <EventMarketView key={market.id} event={event} market={market} />
      ))}
      <TipsOnEvent event={event} />
    </>
  )
}

function TipsOnEvent({ event }: { event: SportsEvent }) {
  const { paddock, customer } = useSession()
  const { id } = event
  const list = useGrowing(`tips on ${id}`, () => paddock.each.getCommentsByEventId({ id, details: true }), 20)
  const { tipsOn, settled } = useLiveCounts()
  const newTips = outcomesOf(event).reduce((sum, outcome) => sum + (tipsOn.get(outcome.id) ?? 0), 0)
  useReloadOn(newTips + settled, list.reload)
  const change = (changed: Tip) => list.replace((tips) => tips.map((tip) => (tip.id === changed.id ? changed : tip)))
  return (
    <section aria-labelledby="event-tips">
      <h2 id="event-tips">Tips on it</h2>
      <GrownList
        label="Tips on it"
        list={list}
        keyOf={(tip) => tip.id}
        empty={
          <Empty title="No tips yet">
            <p>Whoever has a bet on it can write one.</p>
          </Empty>
        }
      >
        {(tip) => (
          <div className={tip.profile?.id === customer.profileId ? styles.mine : ''}>
            {tip.profile?.id === customer.profileId && <p className={styles.mark}>Your tip</p>}
            <TipCard tip={tip} change={change} />
          </div>
        )}
      </GrownList>
    </section>
  )
}
