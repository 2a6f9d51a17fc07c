// The types of what the operator API takes and answers, for its clients. Types only: importing them brings no code, and
// the schemas behind them depend on nothing of the service but lists of names.

export type { Page } from './frame/fields.ts'
export type { FieldError, ProblemDetails } from './frame/problem-schema.ts'
export type { ModerationTexts, ModerationTextsBody, NewAppealDecision } from './schemas/appeals.ts'
export type { Application, CreatedApplication, NewApplication, NewSecret } from './schemas/applications.ts'
export type { AuditEntry, AuditQuery } from './schemas/audit.ts'
export type { Card, Closure } from './schemas/cards.ts'
export type { CustomerBet, CustomerFlag, CustomerTip, TimelineItem } from './schemas/customer-activity.ts'
export type {
  Customer,
  CustomerChange,
  CustomerSession,
  Reinstatement,
  StatusChange,
  Ticket,
} from './schemas/customers.ts'
export type {
  DepositQuery,
  DepositsPage,
  GatewayView,
  ListedDeposit,
  ReviewedDeposit,
  WaitingDeposits,
} from './schemas/deposits.ts'
export type { Health } from './schemas/health.ts'
export type { LiveCounts, Presence, Viewer } from './schemas/live.ts'
export type { ConsoleSession, CreatedToken, Me, NewToken, Token } from './schemas/operator-access.ts'
export type { RecordBoard, RecordCharts, RecordCheck } from './schemas/records.ts'
export type { Reporter, ReporterMarks, SubjectContext } from './schemas/reporters.ts'
export type { RecentRequests } from './schemas/requests.ts'
export type {
  Appeal,
  CommentSubject,
  Decision,
  DecisionConflict,
  NewDecision,
  ProfileSubject,
  ReviewQueue,
  Subject,
} from './schemas/review.ts'
export type { SearchKind, SearchResult, SearchResults } from './schemas/search.ts'
export type { SportList } from './schemas/sportsbook.ts'
export type { MoneyStatistics, Statistics } from './schemas/statistics.ts'
export type { Tip, TopOutcomes } from './schemas/tips.ts'
export type { Transparency } from './schemas/transparency.ts'
export type { Deposit, DepositWithEvents, LastLedgerCheck, LedgerCheck, Resolution } from './schemas/wallets.ts'
export type {
  CreatedWebhook,
  NewWebhook,
  RotatedWebhookSecret,
  Webhook,
  WebhookChange,
  WebhookDelivery,
} from './schemas/webhooks.ts'
export type { Words, WordsBody } from './schemas/words.ts'
export type { WordsTest, WordsTestBody } from './schemas/words-test.ts'
