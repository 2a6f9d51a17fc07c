// The end of a schedule: the gateway answers, and operators decide what waits for approval, and what is in review by the bank's books.

import { reading } from '../../src/platform/database/database.ts'
import { Refused } from '../../src/platform/runtime/refused.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import { resolveRefund } from '../../src/wallets/refund.ts'
import { resolveReview } from '../../src/wallets/resolution.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import { resolveWithdrawal } from '../../src/wallets/withdrawal-decisions.ts'
import { acceptedOrRefused, type Decider, playDecision } from './decisions.ts'
import type { Played } from './played.ts'
import type { Process } from './process.ts'
import { moneyOf, type World } from './world.ts'

type Unfinished = {
  what: 'deposit' | 'refund' | 'withdrawal' | 'job'
  id: string
  /** At the bank. */
  reference: string
  /** The deposit of a refund; why a deposit is in review. */
  of: string | null
  state: string
}

const unfinished = reading<{ customerId: number }, Unfinished>('unfinishedOfSchedule')`
  select 'deposit' as what, id, id as reference, review as of, state from deposit
    where customer_id = :customerId and state not in ('CAPTURED', 'DECLINED', 'VOIDED')
  union all select 'job', job.deposit_id, '', null, job.kind from job join deposit on deposit.id = job.deposit_id
    where customer_id = :customerId
  union all select 'refund', cast(id as text), reference, deposit_id, state from refund
    where customer_id = :customerId and state not in ('DONE', 'FAILED')
  union all select 'withdrawal', cast(id as text), reference, null, state from withdrawal
    where customer_id = :customerId and state not in ('PAID', 'RETURNED', 'REFUSED')`

const MAX_SWEEPS = 30

export async function untilFinished(process: Process, played: Played, last: readonly Decider[]): Promise<void> {
  const { world, customerId } = played
  for (const decider of last) await playDecision(() => process, played, decider)
  // What is left is old enough for a review.
  world.clock.now += 601_000
  for (let i = 0; i < MAX_SWEEPS; i++) {
    world.clock.now += 400_000
    await sweep(process.context)
    const rows = await world.context.database.query(unfinished, { customerId })
    if (rows.length === 0) return
    for (const row of rows) if (row.state === 'REVIEW') await resolveOnce(process, played, row)
  }
}

/** Two operators decide it at the same time. */
async function resolveOnce({ context }: Process, { world, found }: Played, row: Unfinished): Promise<void> {
  const answers = await Promise.all([1, 2].map(() => acceptedOrRefused(resolve(world, context, row))))
  const accepted = answers.filter((answer) => answer === 'accepted').length
  if (accepted !== 1) found.push(`the review of the ${row.what} ${row.id} was decided ${accepted} times`)
}

const note = 'looked up'
const by = 'an operator'

async function resolve(world: World, context: WalletsContext, row: Unfinished): Promise<void> {
  const { what, id, reference, of } = row
  if (what === 'withdrawal') {
    const isPaid = moneyOf(world, reference) > 0n
    // The bank does not agree that it was never paid.
    if (isPaid) await acceptedOrRefused(resolveWithdrawal(context, Number(id), { outcome: 'returned', note, by }))
    await resolveWithdrawal(context, Number(id), { outcome: isPaid ? 'paid' : 'returned', note, by })
  } else if (what === 'refund') {
    const isAtBank = world.bank.refundsOf(of ?? '').some((refund) => refund.reference === reference)
    const outcome = isAtBank && !world.refundsBack.has(reference) ? 'done' : 'failed'
    await resolveRefund(context, Number(id), { outcome, note })
  } else {
    // What was credited is taken, and what was voided released.
    const { outcome } = of?.startsWith('capture') ? world.bank.capture(id) : world.bank.cancel(id)
    const resolution = { outcome: outcome === 'captured' ? ('captured' as const) : ('voided' as const), note, by }
    if ((await resolveReview(context, id, resolution)) !== 'resolved') throw new Refused('conflict', 'not resolved')
  }
}
