import { lazy, Suspense } from 'react'
import { useHistoryState } from '../../../web/history-state.ts'
import { Icon } from '../../../web/icons.tsx'
import { useLoad } from '../../../web/load.ts'
import { dayText } from '../../../web/relative-time.ts'
import { linkTo } from '../../../web/route.ts'
import type { OwnProfile, Profile } from '../answers.ts'
import { useGrowing } from '../grow.ts'
import { imported } from '../imported.ts'
import { chooseOdds, useOddsFormat } from '../odds.tsx'
import { ODDS_FORMATS } from '../odds-text.ts'
import { Avatar } from '../parts/avatar.tsx'
import { FollowButton } from '../parts/follow-button.tsx'
import { GrownList } from '../parts/grown-list.tsx'
import { PersonMenu } from '../parts/person-menu.tsx'
import { ProfileRow } from '../parts/profile-row.tsx'
import { Empty, LoadView, Skeletons } from '../parts/states.tsx'
import { Segments } from '../parts/tabs.tsx'
import { TipList } from '../parts/tip-list.tsx'
import { useProfileVersion } from '../profile-version.ts'
import { useReloadOn } from '../reload.ts'
import { useSession } from '../session.tsx'
import { useTitle } from '../title.ts'
import { counted } from '../words.ts'
import styles from './profile.module.css'

const RecordView = lazy(() => imported(() => import('./record-view.tsx')))

const TABS = [
  { value: 'record', label: 'Record' },
  { value: 'open', label: 'Open tips' },
  { value: 'winners', label: 'Winning selections' },
  { value: 'followers', label: 'Followers' },
  { value: 'followings', label: 'Following' },
] as const
type Tab = (typeof TABS)[number]['value']

/** Without an id: the customer's own. */
export default function ProfileScreen({ id }: { id?: number }) {
  const { paddock, customer } = useSession()
  const isOwn = id === undefined || id === customer.profileId
  const profileId = id ?? customer.profileId
  const version = useProfileVersion(profileId)
  const load = () =>
    isOwn ? paddock.getMyProfile({ communities: true }) : paddock.getProfile({ id: profileId, communities: true })
  const profile = useLoad<Profile | OwnProfile>(`profile ${profileId}`, load, version)
  const [tab, setTab] = useHistoryState<Tab>(`tab ${profileId}`, 'record')
  useTitle(profile.answer?.name ?? 'Profile')

  return (
    <LoadView loaded={profile} skeleton={<Skeletons shape="block" count={1} />} heading="Profile">
      {(shown) => (
        <>
          <ProfileHead profile={shown} isOwn={isOwn} reload={profile.reload} />
          {isOwn && <OwnLinks />}
          {isOwn && <OddsPreference />}
          <div className="filters">
            <Segments label="What to show" choices={TABS} value={tab} choose={setTab} />
          </div>
          <TabContent tab={tab} profileId={profileId} name={shown.name} version={version} />
        </>
      )}
    </LoadView>
  )
}

type HeadProps = { profile: Profile | OwnProfile; isOwn: boolean; reload(): void }

function ProfileHead({ profile, isOwn, reload }: HeadProps) {
  const comments = profile.communities?.comments
  return (
    <header className={styles.head}>
      <Avatar person={profile} size="large" />
      <div>
        <h1>{profile.name}</h1>
        <p className="quiet">Since {dayText(profile.createdDateTimeZoned)}</p>
      </div>
      {isOwn ? (
        <a className="button" href={linkTo('me', 'edit')}>
          Edit
        </a>
      ) : (
        <span className={styles.actions}>
          <FollowButton
            profileId={profile.id}
            isFollowed={'isFollowed' in profile ? profile.isFollowed : undefined}
            changed={reload}
          />
          <PersonMenu person={profile} />
        </span>
      )}
      {profile.biography !== '' && <p className={styles.biography}>{profile.biography}</p>}
      <ul className={styles.counts} aria-label="Counts">
        <li>
          <strong>{profile.numFollowers}</strong> {profile.numFollowers === 1 ? 'follower' : 'followers'}
        </li>
        <li>
          <strong>{profile.numFollowings}</strong> following
        </li>
        <li>
          <strong>{comments?.numLive ?? 0}</strong> {comments?.numLive === 1 ? 'open tip' : 'open tips'}
        </li>
        <li>
          <strong>{comments?.numWinning ?? 0}</strong>{' '}
          {comments?.numWinning === 1 ? 'winning selection' : 'winning selections'}
        </li>
      </ul>
    </header>
  )
}

function OwnLinks() {
  return (
    <ul className={styles.ownLinks}>
      <li>
        <a href={linkTo('account')}>
          <Icon name="feed" />
          Account
        </a>
      </li>
      <li>
        <a href={linkTo('wallet')}>
          <Icon name="card" />
          Deposit
        </a>
      </li>
      <li>
        <a href={linkTo('moderation')}>
          <Icon name="scales" />
          Decisions
        </a>
      </li>
      <li>
        <a href={linkTo('hidden')}>
          <Icon name="mute" />
          Muted and blocked
        </a>
      </li>
    </ul>
  )
}

function OddsPreference() {
  return (
    <div className={styles.odds}>
      <span>Odds as</span>
      <Segments label="Odds as" choices={ODDS_FORMATS} value={useOddsFormat()} choose={chooseOdds} />
    </div>
  )
}

type TabProps = { tab: Tab; profileId: number; name: string; version: number }

function TabContent({ tab, profileId, name, version }: TabProps) {
  if (tab === 'record') {
    return (
      <Suspense fallback={<Skeletons shape="block" count={1} />}>
        <RecordView profileId={profileId} name={name} version={version} />
      </Suspense>
    )
  }
  if (tab === 'open' || tab === 'winners')
    return <Tips key={tab} profileId={profileId} status={tab === 'open' ? 'A' : 'W'} version={version} />
  return <Follows key={tab} profileId={profileId} which={tab} />
}

type TipsProps = { profileId: number; status: 'A' | 'W'; version: number }

function Tips({ profileId: id, status, version }: TipsProps) {
  const { paddock } = useSession()
  const list = useGrowing(
    `tips ${id} ${status}`,
    () => paddock.each.getAllCommentbyProfileId({ id, status, details: true }),
    10,
  )
  useReloadOn(version, list.reload)
  return (
    <>
      {status === 'W' && (
        <p className="hint">
          Tips whose selection won. The record counts what made a profit: a place may, a dead heat may not, and of two
          tips on one selection the first one counts.
        </p>
      )}
      <TipList
        label="Tips"
        list={list}
        empty={<Empty title={status === 'A' ? 'No open tips' : 'No winning selections yet'} />}
      />
    </>
  )
}

function Follows({ profileId: id, which }: { profileId: number; which: 'followers' | 'followings' }) {
  const { paddock } = useSession()
  const open = () =>
    which === 'followers'
      ? paddock.each.getFollowers({ id, blockSize: 50 })
      : paddock.each.getFollowings({ id, blockSize: 50 })
  const list = useGrowing<Profile>(`${which} ${id}`, open, 20)
  return (
    <GrownList
      label={which === 'followers' ? 'Followers' : 'Following'}
      list={list}
      shape="row"
      keyOf={(profile) => profile.id}
      empty={<Empty title={which === 'followers' ? 'No followers yet' : 'Follows nobody yet'} />}
    >
      {(profile) => <ProfileRow person={profile}>{counted(profile.numFollowers, 'follower')}</ProfileRow>}
    </GrownList>
  )
}
