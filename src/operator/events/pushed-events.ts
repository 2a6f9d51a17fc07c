import { toEvent } from '../../event-log/event.ts'
import { explainEvent } from '../../wallets/deposits/explained-event.ts'
import type { PushedEvents } from '../../webhooks/context.ts'
import { PUSHED_KINDS } from './event-kinds.ts'

/** For webhooks, which know no domain. */
export const pushedEvents: PushedEvents = { kinds: PUSHED_KINDS, toEvent: (row) => explainEvent(toEvent(row)) }
