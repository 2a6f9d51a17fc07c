import { applicationOperations } from './applications.ts'
import { auditOperations } from './audit.ts'
import { commentOperations } from './comments.ts'
import { consoleSessionOperations } from './console-sessions.ts'
import { customerOperations } from './customers.ts'
import type { OperatorOperation } from './frame/operation.ts'
import { meOperation } from './me.ts'
import { moderationOperations } from './moderation.ts'
import { personalDataOperations } from './personal-data.ts'
import { sportsbookOperations } from './sportsbook.ts'
import { statisticsOperations } from './statistics.ts'
import { tokenOperations } from './tokens.ts'
import { walletOperatorOperations } from './wallets.ts'
import { wordOperations } from './words.ts'

const operations: readonly OperatorOperation[] = [
  ...applicationOperations,
  ...customerOperations,
  ...personalDataOperations,
  ...tokenOperations,
  ...consoleSessionOperations,
  ...sportsbookOperations,
  ...moderationOperations,
  ...commentOperations,
  ...wordOperations,
  ...auditOperations,
  ...walletOperatorOperations,
  ...statisticsOperations,
]

export const operatorOperations: readonly OperatorOperation[] = [...operations, meOperation(operations)]
