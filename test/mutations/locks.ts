// The order of lock and reading: what a decision rests on is read after the lock. The locks themselves are removed one by one by
// test/interleavings, in the statements that it sends.

import { guards } from './mutation.ts'

const SUITES = ['test/interleavings/interleavings.test.ts']

export const lockMutations = guards(
  SUITES,
  [
    {
      guard: 'funds of a withdrawal are read after the lock',
      file: 'src/wallets/withdrawals/withdrawal.ts',
      from: /( {2}const customer = \(await tx\.one\(lockDepositor[^\n]*\n)([\s\S]*?) {2}const facts = await readLoopFacts\(tx, context, customer\)\n/,
      to: "  const facts = await readLoopFacts(tx, context, { id: order.customerId, currency: 'GBP' })\n$1$2",
    },
    {
      guard: 'the claim of a refund is read after the lock',
      file: 'src/wallets/refunds/refund.ts',
      from: /( {4}const deposit = await tx\.one\(lockDepositOf[^\n]*\n)([\s\S]*?) {4}const claim = [^\n]*\n/,
      to: '    const claim = (await tx.one(claimOfDeposit, { id: order.paymentId })) as ClaimRow\n$1$2',
    },
  ],
  'postgres',
)
