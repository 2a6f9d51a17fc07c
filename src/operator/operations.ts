import { applicationOperations } from './applications.ts'
import type { OperatorOperation } from './operation.ts'
import { sportsbookOperations } from './sportsbook.ts'

export const operatorOperations: readonly OperatorOperation[] = [...applicationOperations, ...sportsbookOperations]
