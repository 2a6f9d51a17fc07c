// The sandbox with names of 40 wide letters without a space, texts of one long word, and amounts of nine digits and more.

import { KEY, type TestService } from '../harness/service.ts'
import { operatorOk } from '../harness/sportsbook.ts'
import { waitingWithdrawal } from '../harness/withdrawals.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'
import { endedDelivery } from '../operator/cases.ts'
import type { Subjects } from './console-routes.ts'

const WIDE = 'W'.repeat(34)
const LONG_WORD = 'M'.repeat(120)
/** Of pennies: 25.00 becomes 500,000.00. Everything together, so that sums stay right. */
const TIMES = 20_000

const AMOUNTS: Record<string, readonly string[]> = {
  account: ['balance'],
  deposit: ['amount', 'captured'],
  dispute: ['amount', 'charged', 'debited', 'house'],
  dispute_event: ['amount'],
  movement: ['amount'],
  refund: ['amount', 'debited', 'paid', 'returned', 'kept_back'],
  transfer: ['amount', 'balance_after'],
  withdrawal: ['amount'],
  withdrawal_part: ['amount', 'paid', 'returned', 'kept_back'],
}

const TEXTS = [
  `update profile set name = '${WIDE}' || id, biography = '${LONG_WORD}' where name is not null`,
  `update customer set username = '${WIDE}' || id where username is not null`,
  `update sport set name = '${WIDE}' || id where id < 3`,
  `update event set name = '${WIDE}' || id where id % 2 = 0`,
  `update market set name = '${WIDE}' || id where id % 2 = 0`,
  `update outcome set name = '${WIDE}' || id where id % 2 = 0`,
  `update comment set text = '${LONG_WORD} ' || id where id % 2 = 1`,
  `update decision set note = '${LONG_WORD}', actor = '${WIDE}'`,
  `update flag set note = '${LONG_WORD}' where note <> ''`,
  `update refund set reason = '${LONG_WORD}', requested_by = '${WIDE}'`,
  `update withdrawal set approved_by = '${WIDE}' where approved_by is not null`,
  `update money_proposal set note = '${LONG_WORD}', by_name = '${WIDE}'`,
]

/** Returns what the screens are opened with: each has more than one row, or an amount. */
export async function extremeWorld(service: TestService): Promise<Subjects> {
  const withdrawal = await waitingWithdrawal(service)
  const { id: webhookId } = await endedDelivery(service)
  await operatorOk(service, 'POST', '/webhooks', { url: `https://example.com/${'w'.repeat(120)}` })
  await operatorOk(service, 'POST', '/applications', { name: `${WIDE} application` })
  await operatorOk(service, 'POST', '/tokens', { name: WIDE, owner: `${WIDE} owner`, role: 'moderator' })
  const { items } = (await service.operator('GET', '/operator/v1/deposits?customerId=1')).body
  const { database } = service.context
  await withoutTriggers(database, async () => {
    for (const text of TEXTS) await database.script(text)
    for (const [table, columns] of Object.entries(AMOUNTS))
      await database.script(`update ${table} set ${columns.map((one) => `${one} = ${one} * ${TIMES}`).join(', ')}`)
  })
  return {
    tip: 23,
    paymentId: items[0].paymentId,
    payerId: 1,
    webhookId,
    withdrawalId: withdrawal.id,
    apiKey: KEY,
    member: { id: 21, profileId: 21 },
  }
}
