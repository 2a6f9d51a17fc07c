import { accessOperations, meOperation } from './access/operations.ts'
import { applicationOperations } from './applications/operations.ts'
import { requestOperations } from './applications/request-operations.ts'
import { auditOperations } from './audit/operations.ts'
import { customerActivityOperations } from './customers/activity-operations.ts'
import { customerListOperations } from './customers/list-operations.ts'
import { customerOperations } from './customers/operations.ts'
import { customerSessionOperations } from './customers/session-operations.ts'
import { timelineOperation } from './customers/timeline-operations.ts'
import { doctorOperations } from './doctor/operations.ts'
import { deliveryOperations } from './events/delivery-operations.ts'
import { liveOperations } from './events/live-operations.ts'
import { eventOperations } from './events/operations.ts'
import { webhookOperations } from './events/webhook-operations.ts'
import { healthOperations } from './health/operations.ts'
import { appealOperatorOperations } from './moderation/appeal-operations.ts'
import { deskOperations } from './moderation/desk-operations.ts'
import { moderatorOperations } from './moderation/moderator-operations.ts'
import { reporterOperations } from './moderation/reporter-operations.ts'
import { reviewOperations } from './moderation/review-operations.ts'
import { tipOperations } from './moderation/tip-operations.ts'
import { transparencyOperations } from './moderation/transparency-operations.ts'
import { wordOperations } from './moderation/word-operations.ts'
import { nameOperations } from './names/operations.ts'
import { personalDataOperations } from './personal-data/operations.ts'
import { recordOperatorOperations } from './record/operations.ts'
import { searchOperatorOperations } from './search/operations.ts'
import { type AuditWords, auditWords } from './server/audit-sentence.ts'
import type { CallsOf, OperatorArea, OperatorOperation } from './server/operation.ts'
import { feedOperations } from './sportsbook/feed-operations.ts'
import { sportsbookOperations } from './sportsbook/operations.ts'
import { statisticsOperations } from './statistics/operations.ts'
import { tipLogOperatorOperations } from './tip-log/operations.ts'
import { viewOperations } from './views/operations.ts'
import { cardOperations } from './wallets/card-operations.ts'
import { decisionOperations } from './wallets/decision-operations.ts'
import { depositOperations } from './wallets/deposit-operations.ts'
import { disputeOperations } from './wallets/dispute-operations.ts'
import { ledgerOperations } from './wallets/ledger-operations.ts'
import { methodOperations } from './wallets/method-operations.ts'
import { movementOperations } from './wallets/movement-operations.ts'
import { notificationOperations } from './wallets/notification-operations.ts'
import { refundOperations } from './wallets/refund-operations.ts'
import { sandboxOperations } from './wallets/sandbox-operations.ts'
import { statementOperations } from './wallets/statement-operations.ts'
import { withdrawalOperatorOperations } from './wallets/withdrawal-operations.ts'
import { withdrawalRequestOperations } from './wallets/withdrawal-request-operations.ts'

/** The audit words of all operations. Computed late, because the operations that use them are among these. */
const words = (): AuditWords => {
  allWords ??= auditWords(operatorOperations)
  return allWords
}
let allWords: AuditWords | undefined

const areasOfOthers = [
  {
    name: 'applications',
    description: 'The applications that may call the public API: keys, secrets and rate limits.',
    operations: [...applicationOperations, ...requestOperations],
  },
  {
    name: 'customers',
    description: 'Customers of the sportsbook, their sessions, what they did, and their personal data.',
    operations: [
      ...customerListOperations,
      ...customerOperations,
      ...customerSessionOperations,
      timelineOperation(words),
      ...customerActivityOperations,
      ...personalDataOperations,
    ],
  },
  {
    name: 'sportsbook',
    description: 'The catalogue (sports, events, markets, outcomes), settlements and bets.',
    operations: [...sportsbookOperations, ...feedOperations],
  },
  {
    name: 'moderation',
    description:
      'Flagged profiles and comments, decisions on them and appeals against these, those who flag, and the operator’s own word lists.',
    operations: [
      ...reviewOperations,
      ...tipOperations,
      ...appealOperatorOperations,
      ...reporterOperations,
      ...transparencyOperations,
      ...moderatorOperations,
      ...deskOperations,
      ...wordOperations,
    ],
  },
  {
    name: 'wallets',
    description:
      'Payment methods, deposits, refunds, disputes, withdrawals, what waits for a second person, movements of the sportsbook and the ledger.',
    operations: [
      ...cardOperations,
      ...depositOperations,
      ...refundOperations,
      ...disputeOperations,
      ...sandboxOperations,
      ...withdrawalOperatorOperations,
      ...withdrawalRequestOperations,
      ...notificationOperations,
      ...decisionOperations,
      ...movementOperations,
      ...statementOperations,
      ...methodOperations,
      ...ledgerOperations,
    ],
  },
  {
    name: 'events',
    description:
      'What has happened: every change that the sportsbook may want to hear of, read in order or sent to webhooks.',
    operations: [...eventOperations, ...webhookOperations, ...deliveryOperations],
  },
  {
    name: 'log',
    description: 'The provable log of tips and settlements.',
    operations: tipLogOperatorOperations,
  },
  {
    name: 'live',
    description: 'What the console shows live: what waits, and who looks at what.',
    operations: liveOperations,
  },
  {
    name: 'records',
    description: 'What the tips of profiles won or lost: records, their recount, and the ranking.',
    operations: recordOperatorOperations,
  },
  {
    name: 'search',
    description: 'One search over what the caller may read, and names for ids.',
    operations: [...searchOperatorOperations, ...nameOperations],
  },
  {
    name: 'views',
    description: 'Saved views: pages of the console with their filters, under a name.',
    operations: viewOperations,
  },
  {
    name: 'statistics',
    description: 'What happened day by day.',
    operations: statisticsOperations,
  },
  {
    name: 'access',
    description: 'Who may use this API: tokens, people signed in to the console, and who the caller is.',
    operations: accessOperations,
  },
  {
    name: 'health',
    description: 'How the service is.',
    operations: [...healthOperations, ...doctorOperations],
  },
  { name: 'audit', description: 'Who did what, and when.', operations: auditOperations(words) },
] as const satisfies readonly OperatorArea[]
const areas: readonly OperatorArea[] = areasOfOthers

/** The caller's own operation lists all others. */
const me = meOperation(areas.flatMap(({ operations }) => operations))

export const operatorAreas: readonly OperatorArea[] = areas.map((area) =>
  area.name === 'access' ? { ...area, operations: [...area.operations, me] } : area,
)

export const operatorOperations: readonly OperatorOperation[] = operatorAreas.flatMap(({ operations }) => operations)

/** What each operation takes and answers, by its name: the console calls them so. */
export type OperatorCalls = CallsOf<(typeof areasOfOthers)[number]['operations'][number] | typeof me>
