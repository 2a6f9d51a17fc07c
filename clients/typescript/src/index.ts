export type { List } from './blocks.ts'
export type { Answer, Call, CallOptions, Fetch, KeyedCallOptions } from './call.ts'
export { type FailureReason, type Fault, PaddockError, PaddockFault } from './errors.ts'
export type {
  AccountState,
  EventState,
  NewTip,
  OutcomeState,
  PaddockEvent,
  StreamBehind,
  StreamEvent,
  StreamState,
  TestEvent,
  WatchedState,
  WebhookEvent,
} from './events.ts'
export type * from './generated/answers.ts'
export type { Each } from './generated/each.ts'
export type { EventKind, StreamedKind } from './generated/events.ts'
export { type FaultCode, faultCodes } from './generated/faults.ts'
export type { Methods } from './generated/methods.ts'
export type * from './generated/parameters.ts'
export type { Hooks, Metadata, ReceivedResponse, Retry, SentRequest } from './hooks.ts'
export { money } from './money.ts'
export {
  type EventsOptions,
  type FeedParameters,
  Paddock,
  type PaddockOptions,
  type RequestOptions,
  type WatchOptions,
} from './paddock.ts'
export type { StreamOptions } from './stream.ts'
export { verifyWebhook, type WebhookBody, type WebhookHeaders, type WebhookOptions } from './webhooks.ts'
