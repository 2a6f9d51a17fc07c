// The types of what the operator API takes and answers, for its clients. Types only: importing them brings no code, and
// the schemas behind them depend on nothing of the service but lists of names.

export type { ConsoleSession, CreatedToken, Me, NewToken, Token } from './access/schemas.ts'
export type { RecentRequests } from './applications/request-schemas.ts'
export type { Application, CreatedApplication, NewApplication, NewSecret } from './applications/schemas.ts'
export type { AuditEntry, AuditQuery } from './audit/schemas.ts'
export type { CustomerBet, CustomerFlag, CustomerTip, TimelineItem } from './customers/activity-schemas.ts'
export type {
  Customer,
  CustomerChange,
  CustomerSession,
  Reinstatement,
  StatusChange,
  Ticket,
} from './customers/schemas.ts'
export type { LiveCounts, Presence, Viewer } from './events/live-schemas.ts'
export type {
  CreatedWebhook,
  NewWebhook,
  RotatedWebhookSecret,
  Webhook,
  WebhookChange,
  WebhookDelivery,
} from './events/webhook-schemas.ts'
export type { Health } from './health/schemas.ts'
export type { ModerationTexts, ModerationTextsBody, NewAppealDecision } from './moderation/appeal-schemas.ts'
export type { Reporter, ReporterMarks, SubjectContext } from './moderation/reporter-schemas.ts'
export type {
  Appeal,
  CommentSubject,
  Decision,
  DecisionConflict,
  NewDecision,
  ProfileSubject,
  ReviewQueue,
  Subject,
} from './moderation/review-schemas.ts'
export type { Tip, TopOutcomes } from './moderation/tip-schemas.ts'
export type { Transparency } from './moderation/transparency-schemas.ts'
export type { Words, WordsBody } from './moderation/word-schemas.ts'
export type { WordsTest, WordsTestBody } from './moderation/words-test-schemas.ts'
export type { SearchKind, SearchResult, SearchResults } from './search/schemas.ts'
export type { Page } from './server/fields.ts'
export type { FieldError, ProblemDetails } from './server/problem-schema.ts'
export type { RecordBoard, RecordCharts, RecordCheck } from './sportsbook/record-schemas.ts'
export type { SportList } from './sportsbook/schemas.ts'
export type { MoneyStatistics, Statistics } from './statistics/schemas.ts'
export type { Card, Closure } from './wallets/card-schemas.ts'
export type {
  DepositQuery,
  DepositsPage,
  GatewayView,
  ListedDeposit,
  ReviewedDeposit,
  WaitingDeposits,
} from './wallets/deposit-schemas.ts'
export type { Deposit, DepositWithEvents, LastLedgerCheck, LedgerCheck, Resolution } from './wallets/method-schemas.ts'
