import { applicationOperations } from './applications.ts'
import type { OperatorOperation } from './operation.ts'

export const operatorOperations: readonly OperatorOperation[] = [...applicationOperations]
