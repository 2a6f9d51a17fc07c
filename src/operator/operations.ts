import { applicationOperations } from './applications.ts'
import { auditOperations } from './audit.ts'
import { customerOperations } from './customers.ts'
import { moderationOperations } from './moderation.ts'
import type { OperatorOperation } from './operation.ts'
import { personalDataOperations } from './personal-data.ts'
import { tokenOperations } from './tokens.ts'
import { walletOperatorOperations } from './wallets.ts'

export const operatorOperations: readonly OperatorOperation[] = [
  ...applicationOperations,
  ...customerOperations,
  ...personalDataOperations,
  ...tokenOperations,
  ...moderationOperations,
  ...auditOperations,
  ...walletOperatorOperations,
]
