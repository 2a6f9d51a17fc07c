// Likes, follows and tips beside the money, and a reader of the log of events.

import type { Operator } from './calls.ts'
import { callerOf, createTips, type Event, profileOf, readRepeatedly, type Toggle, toggleRepeatedly } from './events.ts'
import { tipRepeatedly } from './tip-log.ts'

/** Each customer likes a tip and follows its author, back and forth. `begun`: runs once there are tips. */
export async function startSocialTraffic(
  { operator, publicUrl, begun }: { operator: Operator; publicUrl: string; begun(): Promise<void> },
  tickets: readonly string[],
  isStopping: () => boolean,
) {
  const tips = await createTips(operator, publicUrl, tickets)
  await begun()
  const toggles: Toggle[] = []
  const read: Event[] = []
  const call = callerOf(publicUrl)
  const running = [
    readRepeatedly(operator, read, isStopping),
    tipRepeatedly(operator, call, tickets.slice(0, 4), isStopping),
  ]
  for (const [index, ticket] of tickets.entries()) {
    const byProfileId = await profileOf(publicUrl, ticket)
    const { tip, profile } = tips[index % tips.length] as (typeof tips)[number]
    if (profile === byProfileId) continue
    const both = [
      { kind: 'like', subject: tip, byProfileId, steps: 0, inDoubt: false },
      { kind: 'follow', subject: profile, byProfileId, steps: 0, inDoubt: false },
    ] as const
    toggles.push(...both)
    for (const toggle of both) running.push(toggleRepeatedly(call, ticket, toggle, isStopping))
  }
  return { toggles, read, running }
}
