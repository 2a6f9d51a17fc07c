// Names for parts of what the operator API takes and answers, for the components that show them. Which operation has which is
// in its row (operations.ts).

export type { CreatedToken, NewToken, Token } from './access/operations.ts'
export type { Application, NewSecret } from './applications/operations.ts'
export type { RecentRequests } from './applications/request-operations.ts'
export type { AuditCheckResult, AuditEntry, AuditQuery } from './audit/operations.ts'
export type { CustomerTip } from './customers/activity-operations.ts'
export type { CustomersQuery, ListedCustomer } from './customers/list-operations.ts'
export type { Customer, CustomerSession } from './customers/schemas.ts'
export type { TimelineItem } from './customers/timeline.ts'
export type { Examination } from './doctor/operations.ts'
export type { LiveCounts, Viewer } from './events/live-operations.ts'
export type {
  CreatedWebhook,
  NewWebhook,
  RotatedWebhookSecret,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from './events/webhook-schemas.ts'
export type { Health } from './health/operations.ts'
export type { ModerationTexts, ModerationTextsBody, NewAppealDecision } from './moderation/appeal-operations.ts'
export type { ModerationSettings, ModerationSettingsBody, NewAssignment } from './moderation/desk-operations.ts'
export type { ModeratorStatistics } from './moderation/moderator-operations.ts'
export type { Reporter, ReporterMarks, SubjectContext } from './moderation/reporter-operations.ts'
export type {
  Appeal,
  CommentSubject,
  Decision,
  DecisionConflict,
  NewDecision,
  ProfileSubject,
  Subject,
} from './moderation/review-schemas.ts'
export type { Tip } from './moderation/tip-operations.ts'
export type { Transparency } from './moderation/transparency-operations.ts'
export type { Words, WordsTest, WordsTestBody } from './moderation/word-operations.ts'
export type { RecordBoard, RecordCharts, RecordCheck } from './record/operations.ts'
export type { FieldError, ProblemDetails } from './server/problem-schema.ts'
export type { MoneyStatistics, Statistics } from './statistics/operations.ts'
export type { SavedView } from './views/operations.ts'
export type { Card } from './wallets/card-schemas.ts'
export type {
  Deposit,
  DepositQuery,
  DepositWithEvents,
  GatewayView,
  ListedDeposit,
  Resolution,
  ReviewedDeposit,
} from './wallets/deposit-schemas.ts'
export type { LedgerCheck } from './wallets/ledger-operations.ts'
export type { Withdrawal } from './wallets/withdrawal-schemas.ts'
