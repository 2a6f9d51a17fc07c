// Faults of the rules that an earlier version had, each put back as it was: the suite that showed it must find it, and the schedules.

import { guards, type Mutation } from './mutation.ts'

const APPLY = 'src/wallets/notifications/apply.ts'
const NOTIFIED = 'src/wallets/refunds/notified.ts'
const LOOP = 'src/wallets/withdrawals/closed-loop.ts'
const PARTS = 'src/wallets/withdrawals/parts.ts'
const SEND = 'src/wallets/withdrawals/send-part.ts'
const POLICY = 'src/wallets/policy.ts'

const of = (suite: string, faults: Omit<Mutation, 'suites' | 'project'>[]) =>
  guards(
    [`test/wallets/faults/${suite}.test.ts`],
    faults.map((fault) => ({ ...fault, guard: `fault: ${fault.guard}` })),
  )

export const faultMutations: Mutation[] = [
  ...of('refunds', [
    {
      guard: 'a refund resolved as failed and then paid is nothing',
      scheduled: true,
      file: NOTIFIED,
      from: "if (reported.outcome === 'already-applied') return ALREADY_APPLIED",
      to: "if (reported.outcome !== 'applied') return ALREADY_APPLIED",
    },
    {
      guard: 'a refund of the back office is taken for ours by its amount',
      scheduled: true,
      file: NOTIFIED,
      from: "  if (meaning === 'refunded') return undefined\n",
      to: '',
    },
    {
      guard: 'each refund is counted alone',
      scheduled: true,
      file: 'src/wallets/refunds/refund.ts',
      from: 'refundedToday + amount\n',
      to: 'amount\n',
    },
    {
      guard: 'one person resolves any amount',
      scheduled: true,
      file: POLICY,
      from: 'return sum > most[kind]',
      to: "return kind !== 'resolution' && sum > most[kind]",
    },
    {
      guard: 'one person credits any adjustment',
      scheduled: true,
      file: POLICY,
      from: 'return sum > most[kind]',
      to: "return kind !== 'adjustment' && sum > most[kind]",
    },
  ]),
  ...of('cards', [
    {
      guard: 'what was captured first is covered first',
      scheduled: true,
      file: 'src/wallets/refunds/claims-store.ts',
      from: /(c on 1 = 1\n.*order by) c\.captured_at desc, c\.number desc/,
      to: '$1 c.captured_at, c.number',
    },
    {
      guard: 'a card that was changed or closed after the request is paid',
      scheduled: true,
      file: 'src/wallets/withdrawals/card-changes.ts',
      from: 'of await tx.query(sql.waitingToCard, { customerId, methodId })) {',
      to: 'of (await tx.query(sql.waitingToCard, { customerId, methodId })).slice(0, 0)) {',
    },
    {
      guard: 'the token of a card changes between request and payment',
      scheduled: true,
      file: 'src/wallets/cards/register.ts',
      from: 'if (existing.token === method.token && existing.card_number === method.card_number) return',
      to: 'if (existing.customer_id === customerId) return',
    },
    {
      guard: 'an expired card has no options',
      scheduled: true,
      file: LOOP,
      from: 'if (!claim.isReturnRefused && ',
      to: 'if (reasons.get(card.id) === null && !claim.isReturnRefused && ',
    },
  ]),
  ...of('currency', [
    {
      guard: 'the currency of a customer changes at any time',
      scheduled: true,
      file: 'src/identity/customers/customer.ts',
      from: 'if (wanted.currency === undefined || wanted.currency === currency) return',
      to: 'if (wanted.currency === undefined || currency !== "") return',
    },
    {
      guard: 'a repeated key is compared with what is true today',
      scheduled: true,
      file: 'src/wallets/deposits/deposit.ts',
      from: ': earlier.request_hash === hashOf(order)',
      to: ': earlier.request_hash !== null && earlier.amount === ""',
    },
  ]),
  ...of('deposits', [
    {
      guard: 'captured after a void is dropped',
      scheduled: true,
      file: APPLY,
      from: "if (state !== 'VOIDING' && state !== 'VOIDED' && state !== 'DECLINED') return ALREADY_APPLIED",
      to: 'if (state !== null) return ALREADY_APPLIED',
    },
    {
      guard: 'the cancel of a late approval is lost',
      file: 'src/wallets/deposits/machine.ts',
      from: "event: 'cancel-unresolved', from: FAILED,",
      to: "event: 'cancel-unresolved', from: ['VOIDING'],",
    },
    {
      guard: 'the reference of a late approval is only in the trail',
      file: 'src/wallets/deposits/transitions.ts',
      from: /.*setGatewayReference, \{ id: deposit\.id, gatewayReference \}.*\n/,
      to: '',
    },
    {
      guard: 'a capture does not resolve what is in review',
      scheduled: true,
      file: APPLY,
      from: "if (state === 'AUTHORISED' || (state === 'REVIEW' && review?.startsWith('capture-'))) {",
      to: "if (state === 'AUTHORISED' || (state === 'REVIEW' && review === null)) {",
    },
  ]),
  ...of('disputes', [
    {
      guard: 'a reversal of a part credits all',
      scheduled: true,
      file: 'src/wallets/disputes/disputes.ts',
      from: 'charged: BigInt(dispute.charged) + BigInt(effect.charges) * amount',
      to: 'charged: effect.charges < 0 ? 0n : BigInt(dispute.charged) + BigInt(effect.charges) * amount',
    },
    {
      guard: 'a withdrawal pays a debt only once',
      scheduled: true,
      file: PARTS,
      from: 'source: { part_id: part.id, step: part.moves }',
      to: 'source: { part_id: part.id, step: 0 }',
    },
  ]),
  ...of('withdrawals', [
    {
      guard: 'the reference of a payout is dropped with a lost answer',
      file: SEND,
      from: /.*setPartReference, \{ id: part\.id, gatewayReference, reason \}.*\n/,
      to: '',
    },
    {
      guard: 'a payout that waited for a day goes to review when it is accepted',
      file: SEND,
      from: 'isUnresolved(context, begunAt)',
      to: 'isUnresolved(context, job.created_at)',
    },
    {
      guard: 'the withdrawals of a day are found by their ids',
      file: 'src/wallets/withdrawals/store.ts',
      from: 'from withdrawal where created_at >= :from and created_at < :until\n    and (',
      to: 'from withdrawal where id >= (select min(id) from withdrawal where created_at >= :from) and id < (select coalesce(min(id), 9000000000) from withdrawal where created_at >= :until)\n    and (',
    },
  ]),
  ...of('erasure', [
    {
      guard: 'a customer with money is erased',
      file: 'src/wallets/reviews/erasure.ts',
      from: 'if (standing === undefined) return []',
      to: 'if (standing === undefined || customerId > 0) return []',
    },
  ]),
  ...guards(
    ['test/database/money-statements.test.ts'],
    [
      {
        guard: 'fault: a statement that locks reads another table',
        file: 'src/wallets/deposits/facts-store.ts',
        from: 'd.day, c.status',
        to: 'd.day, (select count(*) from account a where a.customer_id = c.id) as accounts, c.status',
      },
      {
        guard: 'fault: a sum over money without its currency',
        file: 'src/wallets/refunds/claims-store.ts',
        from: 'where w.customer_id = :customerId and w.currency = :currency and w.created_at',
        to: "where w.customer_id = :customerId and :currency <> '' and w.created_at",
      },
    ],
  ),
  ...guards(
    ['test/wallets/faults/withdrawals.test.ts'],
    [
      {
        guard: 'fault: slow batches of each kind take all connections',
        file: 'src/platform/database/write-queue.ts',
        from: 'if (slow.batches === MAX_SLOW_BATCHES) return',
        to: '',
      },
    ],
    'postgres',
  ),
]
