import { useRef } from 'react'
import { Icon } from '../../../web/icons.tsx'
import type { Tip } from '../answers.ts'
import { problemOf } from '../problems.ts'
import { useSession } from '../session.tsx'
import { useToast } from '../toasts.tsx'
import styles from './tips.module.css'

/** Shows the like at once, and takes it back if the service refuses. */
export function LikeButton({ tip, change }: { tip: Tip; change(tip: Tip): void }) {
  const { paddock } = useSession()
  const toast = useToast()
  const isBusy = useRef(false)
  const isLiked = tip.isLiked === true
  const { numLikes } = tip.event.market.outcome

  async function toggle(): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    change(withLike(tip, !isLiked))
    try {
      await (isLiked ? paddock.unlikeComment({ id: tip.id }) : paddock.likeComment({ id: tip.id }))
    } catch (error) {
      change(tip)
      toast({ icon: 'heart', text: `${isLiked ? 'Still liked' : 'Not liked'}: ${problemOf(error).title}` })
    } finally {
      isBusy.current = false
    }
  }

  return (
    <button type="button" className={styles.like} aria-pressed={isLiked} onClick={toggle}>
      <Icon name="heart" filled={isLiked} />
      <span className="hidden-text">Like this tip, likes of the selection: </span>
      {numLikes}
    </button>
  )
}

function withLike(tip: Tip, isLiked: boolean): Tip {
  const { market } = tip.event
  const numLikes = Math.max(0, market.outcome.numLikes + (isLiked ? 1 : -1))
  const outcome = { ...market.outcome, numLikes }
  return { ...tip, isLiked, event: { ...tip.event, market: { ...market, outcome } } }
}
