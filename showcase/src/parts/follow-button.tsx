import { useEffect, useState } from 'react'
import { problemOf } from '../problems.ts'
import { useSession } from '../session.tsx'
import { useToast } from '../toasts.tsx'
import styles from './follow-button.module.css'

type FollowButtonProps = {
  profileId: number
  name?: string
  /** Loaded when it is not known. */
  isFollowed?: boolean | undefined
  changed?: ((isFollowed: boolean) => void) | undefined
}

/** Shows the follow at once, and takes it back if the service refuses. */
export function FollowButton({ profileId, name, isFollowed, changed }: FollowButtonProps) {
  const { paddock, customer } = useSession()
  const toast = useToast()
  const [state, setState] = useState(isFollowed)
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    if (isFollowed !== undefined) return setState(isFollowed)
    paddock
      .getProfile({ id: profileId })
      .then((profile) => setState(profile.isFollowed))
      .catch(() => undefined)
  }, [paddock, profileId, isFollowed])

  async function toggle(): Promise<void> {
    if (isBusy || state === undefined) return
    setBusy(true)
    setState(!state)
    try {
      await (state ? paddock.unfollowProfile({ id: profileId }) : paddock.followProfile({ id: profileId }))
      changed?.(!state)
    } catch (error) {
      setState(state)
      toast({ icon: 'person', text: problemOf(error).title })
    } finally {
      setBusy(false)
    }
  }

  if (profileId === customer.profileId || state === undefined) return null
  return (
    <button
      type="button"
      className={state ? styles.follow : `${styles.follow} primary`}
      aria-pressed={state}
      onClick={toggle}
    >
      {state ? 'Following' : 'Follow'}
      {name !== undefined && <span className="hidden-text"> {name}</span>}
    </button>
  )
}
