import { useAction } from '../../../web/action.ts'
import { Icon } from '../../../web/icons.tsx'
import { useLoad } from '../../../web/load.ts'
import type { Notification } from '../answers.ts'
import { useLive } from '../live.tsx'
import { notificationIcon, notificationLink, notificationText } from '../notification-words.ts'
import { Empty, LoadView, ProblemPanel, Skeletons } from '../parts/states.tsx'
import { When } from '../parts/when.tsx'
import { useSession } from '../session.tsx'
import styles from './notifications.module.css'

/** Green where there is none. */
const COLOURS: Readonly<Record<string, string | undefined>> = {
  liked: styles.liked,
  decision: styles.decided,
  report: styles.decided,
  appeal: styles.decided,
}

export default function NotificationsScreen() {
  const { paddock } = useSession()
  const { version, unread, refresh } = useLive()
  const loaded = useLoad('notifications', () => paddock.getMyNotifications({ blockSize: 50 }), version + unread)

  const newest = loaded.answer?.notification[0]?.id
  const { run, error, isBusy } = useAction(async () => {
    if (newest === undefined) return
    await paddock.markMyNotificationsRead({ upTo: newest })
    await refresh()
    loaded.reload()
  })

  return (
    <>
      <header className="section-head">
        <h1>Notifications</h1>
        {(loaded.answer?.numUnread ?? 0) > 0 && (
          <button type="button" aria-disabled={isBusy} onClick={run}>
            <Icon name="check" />
            Mark all as read
          </button>
        )}
      </header>
      {error !== undefined && <ProblemPanel error={error} />}
      <LoadView loaded={loaded} skeleton={<Skeletons shape="row" count={5} />}>
        {({ notification }) =>
          notification.length === 0 ? (
            <Empty title="Nothing yet">
              <p>Likes, followers, results and decisions arrive here as they happen. Play the afternoon to get some.</p>
            </Empty>
          ) : (
            <ul className="list rows">
              {notification.map((one) => (
                <li key={one.id}>
                  <NotificationRow one={one} />
                </li>
              ))}
            </ul>
          )
        }
      </LoadView>
    </>
  )
}

function NotificationRow({ one }: { one: Notification }) {
  const icon = notificationIcon(one)
  const colour = one.type === 'settled' && icon !== 'trophy' ? styles.plain : COLOURS[one.type]
  return (
    <a
      className={one.isRead ? styles.notification : `${styles.notification} ${styles.unread}`}
      href={notificationLink(one)}
    >
      <span className={`${styles.icon} ${colour ?? ''}`}>
        <Icon name={icon} />
      </span>
      <span className="row-text">
        <strong>{notificationText(one)}</strong>
        {one.comment !== undefined && <span className="quiet">{one.comment.text}</span>}
      </span>
      <span className={`quiet ${styles.when}`}>
        {!one.isRead && <span className="hidden-text">Unread, </span>}
        <When time={one.createdDateTimeZoned} />
      </span>
    </a>
  )
}
