import type { IconName } from '../../web/icons.tsx'
import { linkTo } from '../../web/route.ts'
import { cardNotice } from '../../web/words/cards.ts'
import { OWN_DECISIONS } from '../../web/words/moderation.ts'
import type { Result } from '../../web/words/results.ts'
import type { Notification } from './answers.ts'

const RESULTS: Record<Result, string> = {
  win: 'Your tip won',
  'half-win': 'Your tip half won',
  place: 'Your tip was placed',
  lose: 'Your tip lost',
  'half-lose': 'Your tip half lost',
  void: 'Your tip is void',
  push: 'Your tip is void',
}

export function notificationText(one: Notification): string {
  switch (one.type) {
    case 'followed':
      return `${actors(one)} followed you`
    case 'liked':
      return `${actors(one)} liked your tip`
    case 'settled':
      return RESULTS[one.comment?.result as Result] ?? 'Your tip was settled'
    case 'decision':
      return OWN_DECISIONS[one.action as keyof typeof OWN_DECISIONS] ?? 'A moderator decided on your content'
    case 'report':
      return one.action === 'upheld'
        ? 'You flagged it, and a moderator agreed'
        : 'You flagged it, and a moderator left it as it is'
    case 'appeal':
      return one.action === 'overturned' ? 'Your appeal was successful' : 'Your appeal was rejected'
    case 'card':
      return cardNotice(one.card?.lastFour ?? '', one.action ?? '')
    default:
      return 'Something happened'
  }
}

function actors({ profile, numActors = 1 }: Notification): string {
  const name = profile?.name ?? 'Somebody'
  if (numActors <= 1) return name
  return `${name} and ${numActors === 2 ? '1 other' : `${numActors - 1} others`}`
}

const ICONS: Readonly<Record<string, IconName>> = {
  followed: 'person',
  liked: 'heart',
  settled: 'trophy',
  decision: 'scales',
  report: 'flag',
  appeal: 'scales',
  card: 'card',
}

const RESULT_ICONS: Readonly<Record<string, IconName>> = {
  lose: 'close',
  'half-lose': 'close',
  void: 'check',
  push: 'check',
}

export const notificationIcon = ({ type, comment }: Notification): IconName =>
  (type === 'settled' ? RESULT_ICONS[comment?.result ?? ''] : undefined) ?? ICONS[type] ?? 'bell'

export function notificationLink(one: Notification): string {
  if (one.decisionId !== undefined) return linkTo('moderation')
  if (one.type === 'card') return linkTo('wallet')
  if (one.comment !== undefined) return linkTo('tips', one.comment.id)
  return one.profile === undefined ? linkTo('notifications') : linkTo('profiles', one.profile.id)
}
