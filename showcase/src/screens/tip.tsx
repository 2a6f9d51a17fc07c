import { useState } from 'react'
import { Icon } from '../../../web/icons.tsx'
import { useLoad } from '../../../web/load.ts'
import { linkTo } from '../../../web/route.ts'
import type { Tip } from '../answers.ts'
import { useLive } from '../live.tsx'
import { useLiveCounts, useLiveTip } from '../live-outcomes.ts'
import { Avatar } from '../parts/avatar.tsx'
import { FollowButton } from '../parts/follow-button.tsx'
import { LikeButton } from '../parts/like-button.tsx'
import { PersonMenu } from '../parts/person-menu.tsx'
import { Figures } from '../parts/record-figures.tsx'
import { LoadView, Skeletons } from '../parts/states.tsx'
import { ResultBadge, Selection } from '../parts/tip-card.tsx'
import tips from '../parts/tips.module.css'
import { When } from '../parts/when.tsx'
import { useSession } from '../session.tsx'
import { badgeOf, returnText, settledOf, termsOf } from '../settlement-words.ts'
import { useTitle } from '../title.ts'
import { SPORTS } from '../words.ts'
import { FlagDialog } from './flag-dialog.tsx'
import { ModeratorPanel } from './moderator-panel.tsx'
import styles from './tip.module.css'
import { WithdrawButton } from './withdraw-button.tsx'

export default function TipScreen({ id }: { id: number }) {
  const { paddock } = useSession()
  const { version: live } = useLive()
  const { settled: played } = useLiveCounts()
  const tip = useLoad(`tip ${id}`, () => paddock.getCommentsById({ id, details: true }), live + played)
  const { answer } = tip
  useTitle(
    answer === undefined
      ? 'Tip'
      : `${answer.event.market.outcome.name}, tipped by ${answer.profile?.name ?? 'somebody'}`,
  )
  return (
    <>
      <BackLink />
      <h1 className="hidden-text">Tip</h1>
      <LoadView loaded={tip} skeleton={<Skeletons count={1} />}>
        {(shown) => (
          <>
            <TipInFull tip={shown} change={(changed) => tip.show(changed)} />
            {shown.profile !== undefined && <AuthorRecord profile={shown.profile} version={live + played} />}
          </>
        )}
      </LoadView>
    </>
  )
}

export function BackLink() {
  return (
    <button type="button" className={`bare ${styles.back}`} onClick={() => history.back()}>
      <Icon name="back" />
      Back
    </button>
  )
}

function TipInFull({ tip: loaded, change }: { tip: Tip; change(tip: Tip): void }) {
  const { customer } = useSession()
  const { tip, isWatched } = useLiveTip(loaded)
  const isOwn = tip.profile?.id === customer.profileId
  return (
    <article className={`surface ${tips.tip} ${tips.full}`}>
      <Author tip={tip} isOwn={isOwn} />
      <p className={tips.tipText}>{tip.text}</p>
      <Selection tip={tip} isWatched={isWatched} />
      <Settlement tip={tip} />
      <footer className={tips.tipActions}>
        <LikeButton tip={loaded} change={change} />
        <ResultBadge tip={tip} />
        <span className={tips.tipSport}>{SPORTS[tip.event.sportId] ?? ''}</span>
        {isOwn ? (
          <WithdrawButton tip={tip} />
        ) : (
          <span className={styles.actions}>
            <Flag tip={loaded} change={change} />
            {tip.profile !== undefined && <PersonMenu person={tip.profile} />}
          </span>
        )}
      </footer>
      {tip.isFlagged === true && <ModeratorPanel tip={tip} />}
    </article>
  )
}

function Author({ tip, isOwn }: { tip: Tip; isOwn: boolean }) {
  const { profile } = tip
  if (profile === undefined) return null
  return (
    <header className={tips.tipAuthor}>
      <a href={linkTo('profiles', profile.id)}>
        <Avatar person={profile} />
        <span>
          <strong>{profile.name}</strong>
          <When time={tip.createdDateTimeZoned} />
        </span>
      </a>
      {!isOwn && <FollowButton profileId={profile.id} />}
    </header>
  )
}

type Author = NonNullable<Tip['profile']>

/** Whether one should believe it. */
function AuthorRecord({ profile: { id, name }, version }: { profile: Author; version: number }) {
  const { paddock } = useSession()
  const loaded = useLoad(`record ${id}`, () => paddock.getRecord({ id }), version)
  if (loaded.answer === undefined || loaded.answer.record.numSettled === 0) return null
  return (
    <section aria-labelledby="author-record">
      <header className="section-head">
        <h2 id="author-record">What {name}’s tips returned</h2>
        <a href={linkTo('profiles', id)}>Whole record</a>
      </header>
      <Figures record={loaded.answer.record} />
    </section>
  )
}

const LOOKS = { won: tips.won, lost: tips.lost, void: '' } as const

/** What it won or lost, or would win. */
function Settlement({ tip }: { tip: Tip }) {
  const settled = settledOf(tip)
  if (settled === undefined) return <p className={tips.priceExplanation}>{explanationOf(tip)}</p>
  const [className] = badgeOf(settled.result, settled)
  return (
    <section className={`${tips.settlement} ${LOOKS[className]}`} aria-label="How it was settled">
      <p>
        <strong>{returnText(settled)}</strong>
      </p>
      <ul>
        {termsOf(settled).map(({ long }) => (
          <li key={long}>{long}</li>
        ))}
      </ul>
    </section>
  )
}

function explanationOf({ tipPrice, result, eachWay, event }: Tip): string {
  if (tipPrice === undefined) return 'This tip is not in the record: no price that could be had is known for it.'
  const then = tipPrice.priceDec
  if (result !== undefined) {
    return then === undefined
      ? 'This tip is not in the record: its starting price was not reported.'
      : 'The record has not counted it yet.'
  }
  if (then === undefined) return 'Tipped at the starting price, which is known at the off.'
  if (eachWay !== undefined) return `Each way: one point to win, one on a place at ${eachWay} of the odds.`
  const now = event.market.outcome.livePrice?.priceDec
  if (now === undefined || now === then) return `A point on it wins ${(Number(then) - 1).toFixed(2)} points.`
  return Number(now) < Number(then)
    ? 'The price is shorter now: those who followed early have the better price.'
    : 'The price is longer now: you would get more than the tipster did.'
}

function Flag({ tip, change }: { tip: Tip; change(tip: Tip): void }) {
  const [isOpen, setOpen] = useState(false)
  if (tip.isFlagged === true) return <span className="badge void">Flagged by you</span>
  return (
    <>
      <button type="button" className={`bare ${styles.flag}`} onClick={() => setOpen(true)}>
        <Icon name="flag" />
        Flag
      </button>
      {isOpen && (
        <FlagDialog
          tip={tip}
          close={() => setOpen(false)}
          flagged={() => {
            setOpen(false)
            change({ ...tip, isFlagged: true })
          }}
        />
      )}
    </>
  )
}
