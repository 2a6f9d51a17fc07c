import { applicationOperations } from './applications.ts'
import type { OperatorOperation } from './operation.ts'
import { walletOperatorOperations } from './wallets.ts'

export const operatorOperations: readonly OperatorOperation[] = [...applicationOperations, ...walletOperatorOperations]
