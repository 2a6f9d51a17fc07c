import { memo } from 'react'
import { linkTo } from '../../../web/route.ts'
import type { Tip } from '../answers.ts'
import { useLiveTip } from '../live-outcomes.ts'
import { badgeOf, settledOf, termsOf } from '../settlement-words.ts'
import { SPORTS, signed } from '../words.ts'
import { Avatar } from './avatar.tsx'
import { Emblem } from './emblem.tsx'
import { LikeButton } from './like-button.tsx'
import { PriceMove } from './price.tsx'
import styles from './tips.module.css'
import { When } from './when.tsx'

/** `change` shows another state of the tip, such as a like. */
type TipCardProps = { tip: Tip; change(tip: Tip): void; author?: { id: number; name: string; picture?: string } }

export const TipCard = memo(function TipCard({ tip: loaded, change, author = loaded.profile }: TipCardProps) {
  const { tip, isWatched } = useLiveTip(loaded)
  const { event } = tip
  return (
    <article className={`surface ${styles.tip}`} aria-labelledby={`tip-${tip.id}`}>
      <header className={styles.tipAuthor}>
        {author !== undefined && (
          <a href={linkTo('profiles', author.id)}>
            <Avatar person={author} />
            <strong>{author.name}</strong>
          </a>
        )}
        <When time={tip.createdDateTimeZoned} />
      </header>
      <p className={styles.tipText} id={`tip-${tip.id}`}>
        <a href={linkTo('tips', tip.id)}>{tip.text}</a>
      </p>
      <Selection tip={tip} isWatched={isWatched} />
      <footer className={styles.tipActions}>
        <LikeButton tip={loaded} change={change} />
        <ResultBadge tip={tip} />
        <Return tip={tip} />
        <span className={styles.tipSport}>{SPORTS[event.sportId] ?? event.name}</span>
      </footer>
    </article>
  )
})

export function Selection({ tip, isWatched }: { tip: Tip; isWatched: boolean }) {
  const { event } = tip
  const { outcome } = event.market
  const isOpen = tip.result === undefined
  return (
    <div
      className={isOpen && outcome.displayStatus !== 'A' ? `${styles.selection} ${styles.suspended}` : styles.selection}
    >
      <div>
        <p className={styles.selectionName}>
          <Emblem sportId={event.sportId} event={event.name} name={outcome.name} />
          {outcome.name}
        </p>
        <p className={styles.selectionEvent}>
          {event.market.name} · <a href={linkTo('events', event.id)}>{event.name}</a>
        </p>
      </div>
      <PriceMove then={tip.tipPrice} now={outcome.livePrice} isOpen={isOpen} isWatched={isWatched} />
    </div>
  )
}

/** In points, as in the author's record. */
function Return({ tip }: { tip: Tip }) {
  const settled = settledOf(tip)
  if (settled === undefined || settled.status === 'V') return null
  const terms = termsOf(settled).map(({ short }) => short)
  return (
    <>
      <span className={`${styles.return} ${Number(settled.profit) < 0 ? 'bad' : 'good'}`}>
        {signed(settled.profit)} <span className="hidden-text">points</span>
      </span>
      {terms.length > 0 && <span className={styles.terms}>{[...new Set(terms)].join(' · ')}</span>}
    </>
  )
}

export function ResultBadge({ tip }: { tip: Tip }) {
  if (tip.result !== undefined) {
    const [className, text] = badgeOf(tip.result, settledOf(tip))
    return <span className={`badge ${className}`}>{text}</span>
  }
  if (tip.status === 'D') return <span className="badge void">Withdrawn</span>
  if (tip.event.market.outcome.displayStatus !== 'A') return <span className="badge void">Suspended</span>
  return null
}
