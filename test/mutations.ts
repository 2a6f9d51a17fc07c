// The guards of money and of batches, each with the change that takes it away. `npm run mutation` applies them one by one;
// mutations.test.ts checks that each still finds its guard. A new subject is a file in mutations/ with the suites that protect it.

import { batchMutations, tipBatchMutations } from './mutations/batches.ts'
import { challengeMutations } from './mutations/challenges.ts'
import { depositMutations } from './mutations/deposits.ts'
import { faultMutations } from './mutations/faults.ts'
import { ledgerMutations } from './mutations/ledger.ts'
import { limitMutations } from './mutations/limits.ts'
import { lockMutations } from './mutations/locks.ts'
import { movementMutations } from './mutations/movements.ts'
import type { Mutation } from './mutations/mutation.ts'
import { refundMutations } from './mutations/refunds.ts'
import { reviewMutations } from './mutations/reviews.ts'
import { schemaMutations } from './mutations/schema.ts'
import { withdrawalMutations } from './mutations/withdrawals.ts'

/** By subject. */
export const SUBJECTS: Readonly<Record<string, readonly Mutation[]>> = {
  ledger: ledgerMutations,
  movements: movementMutations,
  deposits: depositMutations,
  challenges: challengeMutations,
  limits: limitMutations,
  refunds: refundMutations,
  withdrawals: withdrawalMutations,
  reviews: reviewMutations,
  faults: faultMutations,
  schema: schemaMutations,
  locks: lockMutations,
  batches: [...batchMutations, ...tipBatchMutations],
}

export const MUTATIONS: readonly Mutation[] = Object.values(SUBJECTS).flat()
