// What admins have set up for moderators.

import type { ModerationSettings } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { usePermission } from '../sign-in/session.tsx'

/** undefined until it is loaded, or where the role may not read it. */
export function useModerationSettings(): ModerationSettings | undefined {
  const offered = usePermission()('readModerationSettings')
  return useResource(offered ? 'readModerationSettings' : null).answer
}

/** Groups first. `chosen`: is among them even if it is no longer known. */
export function assigneeOptions({ groups, people }: ModerationSettings, chosen = '') {
  const known = [...groups.map(({ name }) => `group:${name}`), ...people.map((name) => `person:${name}`)]
  const all = chosen === '' || known.includes(chosen) ? known : [...known, chosen]
  return all.map((assignee) => ({ value: assignee, label: assigneeText(assignee) }))
}

/** "group second line", "ann". */
export function assigneeText(assignee: string): string {
  return assignee.replace(/^person:/, '').replace(/^group:/, 'group ')
}
