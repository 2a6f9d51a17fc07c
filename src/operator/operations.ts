import { appealOperatorOperations } from './appeals.ts'
import { applicationOperations } from './applications.ts'
import { auditOperations } from './audit.ts'
import { cardOperations } from './cards.ts'
import { commentOperations } from './comments.ts'
import { consoleSessionOperations } from './console-sessions.ts'
import { customerActivityOperations } from './customer-activity.ts'
import { customerSessionOperations } from './customer-sessions.ts'
import { timelineOperation } from './customer-timeline.ts'
import { customerOperations } from './customers.ts'
import { depositOperations } from './deposits.ts'
import { eventOperations } from './events.ts'
import { feedOperations } from './feed.ts'
import { type AuditWords, auditWords } from './frame/audit-sentence.ts'
import type { OperatorArea } from './frame/description.ts'
import type { OperatorOperation } from './frame/operation.ts'
import { healthOperations } from './health.ts'
import { liveOperations } from './live.ts'
import { meOperation } from './me.ts'
import { moderationOperations } from './moderation.ts'
import { personalDataOperations } from './personal-data.ts'
import { recordOperatorOperations } from './records.ts'
import { reporterOperations } from './reporters.ts'
import { requestOperations } from './requests.ts'
import { searchOperatorOperations } from './search.ts'
import { sportsbookOperations } from './sportsbook.ts'
import { statisticsOperations } from './statistics.ts'
import { tipLogOperatorOperations } from './tip-log.ts'
import { tipOperations } from './tips.ts'
import { tokenOperations } from './tokens.ts'
import { transparencyOperations } from './transparency.ts'
import { walletOperatorOperations } from './wallets.ts'
import { webhookOperations } from './webhooks.ts'
import { wordOperations } from './words.ts'
import { wordsTestOperations } from './words-test.ts'

/** Of all operations; those that use them are among these. */
const words = (): AuditWords => {
  allWords ??= auditWords(operatorOperations)
  return allWords
}
let allWords: AuditWords | undefined

const areas: readonly OperatorArea[] = [
  {
    name: 'applications',
    description: 'The applications that may call the public API: keys, secrets and rate limits.',
    operations: [...applicationOperations, ...requestOperations],
  },
  {
    name: 'customers',
    description: 'Customers of the sportsbook, their sessions, what they did, and their personal data.',
    operations: [
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
      ...moderationOperations,
      ...commentOperations,
      ...tipOperations,
      ...appealOperatorOperations,
      ...reporterOperations,
      ...transparencyOperations,
      ...wordOperations,
      ...wordsTestOperations,
    ],
  },
  {
    name: 'wallets',
    description: 'Payment methods, deposits and the ledger.',
    operations: [...cardOperations, ...depositOperations, ...walletOperatorOperations],
  },
  {
    name: 'events',
    description:
      'What has happened: every change that the sportsbook may want to hear of, read in order or sent to webhooks.',
    operations: [...eventOperations, ...webhookOperations],
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
    description: 'One search over what the caller may read.',
    operations: searchOperatorOperations,
  },
  {
    name: 'statistics',
    description: 'What happened day by day.',
    operations: statisticsOperations,
  },
  {
    name: 'access',
    description: 'Who may use this API: tokens, people signed in to the console, and who the caller is.',
    operations: [...tokenOperations, ...consoleSessionOperations],
  },
  {
    name: 'health',
    description: 'How the service is.',
    operations: healthOperations,
  },
  { name: 'audit', description: 'Who did what, and when.', operations: auditOperations(words) },
]

/** The caller's own operation lists all others. */
const me = meOperation(areas.flatMap(({ operations }) => operations))

export const operatorAreas: readonly OperatorArea[] = areas.map((area) =>
  area.name === 'access' ? { ...area, operations: [...area.operations, me] } : area,
)

export const operatorOperations: readonly OperatorOperation[] = operatorAreas.flatMap(({ operations }) => operations)
