// Names for parts of what the operator API takes and answers, for the components that show them. Which operation has which is
// in its row (operations.ts).

export type { CreatedToken, NewToken, Token } from './access/schemas.ts'
export type { RecentRequests } from './applications/request-schemas.ts'
export type { Application, NewSecret } from './applications/schemas.ts'
export type { AuditEntry, AuditQuery } from './audit/schemas.ts'
export type { CustomerTip, TimelineItem } from './customers/activity-schemas.ts'
export type { Customer, CustomerSession } from './customers/schemas.ts'
export type { LiveCounts, Viewer } from './events/live-schemas.ts'
export type {
  CreatedWebhook,
  NewWebhook,
  RotatedWebhookSecret,
  Webhook,
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
  Subject,
} from './moderation/review-schemas.ts'
export type { Tip } from './moderation/tip-schemas.ts'
export type { Transparency } from './moderation/transparency-schemas.ts'
export type { Words } from './moderation/word-schemas.ts'
export type { WordsTest, WordsTestBody } from './moderation/words-test-schemas.ts'
export type { FieldError, ProblemDetails } from './server/problem-schema.ts'
export type { RecordBoard, RecordCharts, RecordCheck } from './sportsbook/record-schemas.ts'
export type { MoneyStatistics, Statistics } from './statistics/schemas.ts'
export type { Card } from './wallets/card-schemas.ts'
export type { DepositQuery, GatewayView, ListedDeposit, ReviewedDeposit } from './wallets/deposit-schemas.ts'
export type { Deposit, DepositWithEvents, LedgerCheck, Resolution } from './wallets/method-schemas.ts'
