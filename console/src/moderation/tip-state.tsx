import type { Tip } from '../../../src/operator/api-types.ts'
import { TIP_STATES } from '../../../web/words/moderation.ts'
import { Badge, type Look } from '../parts/basics.tsx'

const LOOKS: Record<Tip['state'], Look> = { live: 'good', deactivated: 'plain', removed: 'bad', held: 'warn' }

/** Whether customers see a tip, and if not, why. */
export function TipStateBadge({ state }: { state: Tip['state'] }) {
  return <Badge look={LOOKS[state]}>{TIP_STATES[state]}</Badge>
}
