import type { ReactNode } from 'react'
import { linkTo } from '../../../web/route.ts'
import { Avatar, type Person } from './avatar.tsx'
import { FollowButton } from './follow-button.tsx'
import styles from './row.module.css'

type ProfileRowProps = {
  person: Person & { readonly isFollowed?: boolean | undefined }
  rank?: number
  /** The line below the name. */
  children?: ReactNode
}

export function ProfileRow({ person, rank, children }: ProfileRowProps) {
  return (
    <div className={styles.row}>
      {rank !== undefined && <span className={styles.rank}>{rank}</span>}
      <a href={linkTo('profiles', person.id)}>
        <Avatar person={person} />
        <span>
          <strong>{person.name}</strong>
          <span className="quiet">{children}</span>
        </span>
      </a>
      {person.isFollowed !== undefined && (
        <FollowButton profileId={person.id} name={person.name} isFollowed={person.isFollowed} />
      )}
    </div>
  )
}
