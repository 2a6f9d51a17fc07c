import { isoTime } from '../../platform/runtime/iso-time.ts'
import type { DatedCheck } from '../../wallets/books/ledger-checks.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'

const ledgerCheck = s.namedObject('LedgerCheck', {
  balanced: s.boolean(true),
  deposits: s.count(128, 'How many deposits were checked.'),
  accounts: s.list(
    s.object({
      kind: s.string('customer'),
      currency: s.string('GBP'),
      total: s.string('3200.00'),
    }),
    'The total of each kind of account in each currency.',
  ),
  problems: s.list(s.string(), 'What does not add up; the first 1000.', []),
  checkedAt: s.time(),
})
export type LedgerCheck = s.ValueOf<typeof ledgerCheck>

const lastLedgerCheck = s.anyOf([ledgerCheck, s.object({ checkedAt: s.nullValue })])
const checkOf = ({ checkedAt, ...check }: DatedCheck): LedgerCheck => ({ ...check, checkedAt: isoTime(checkedAt) })

export const ledgerOperations = [
  operatorOperation({
    name: 'checkLedger',
    summary: 'Check the whole ledger now',
    route: 'GET /ledger/check',
    role: 'cashier-lead',
    answer: { 200: ledgerCheck },
    handle: async ({ ledgerChecks }) => checkOf(await ledgerChecks.run()),
  }),
  operatorOperation({
    name: 'readLastLedgerCheck',
    summary: 'Read the result of the last check of the ledger',
    description: 'The ledger is checked every hour. `checkedAt` is null when this process has not checked it yet.',
    route: 'GET /ledger/last-check',
    role: 'cashier-lead',
    answer: { 200: lastLedgerCheck },
    async handle({ ledgerChecks }) {
      const last = ledgerChecks.last()
      return last === null ? { checkedAt: null } : checkOf(last)
    },
  }),
]
