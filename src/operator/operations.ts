import { applicationOperations } from './applications.ts'
import { auditOperations } from './audit.ts'
import { customerOperations } from './customers.ts'
import { meOperation } from './me.ts'
import { moderationOperations } from './moderation.ts'
import type { OperatorOperation } from './operation.ts'
import { personalDataOperations } from './personal-data.ts'
import { statisticsOperations } from './statistics.ts'
import { tokenOperations } from './tokens.ts'

const operations: readonly OperatorOperation[] = [
  ...applicationOperations,
  ...customerOperations,
  ...personalDataOperations,
  ...tokenOperations,
  ...moderationOperations,
  ...auditOperations,
  ...statisticsOperations,
]

export const operatorOperations: readonly OperatorOperation[] = [...operations, meOperation(operations)]
