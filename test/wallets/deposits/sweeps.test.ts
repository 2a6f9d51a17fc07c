// One sweep runs many jobs, and records together what it captured.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { addCard, deposit, depositStates, ledgerProblems, paidOrFaultCode } from '../../harness/wallets.ts'

let service: TestService

beforeEach(async () => {
  service = await startTestService()
})
afterEach(async () => {
  await service.close()
})

/** A paid deposit whose capture no sweep has sent yet. */
async function uncaptured(currency = 'GBP') {
  const customer = await service.customer({ currency })
  const method = await addCard(service, customer)
  const reply = await deposit(service, { ticket: customer.ticket, method })
  expect(paidOrFaultCode(reply)).toBe('paid')
  return { id: customer.id, paymentId: reply.json().whoWallets.paymentId as string }
}

/** How often the statement ran. */
function runsOf(statement: string): number {
  const count = new RegExp(`^paddock_statement_seconds_count\\{statement="${statement}"\\} (\\d+)$`, 'm')
  return Number(count.exec(service.context.metrics.render())?.[1] ?? 0)
}

async function eventsOf(paymentId: string): Promise<string[]> {
  const { events } = (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body
  return events.map(({ event }: { event: string }) => event)
}

test('a sweep records all that it captured together, in several currencies', async () => {
  const deposits = [await uncaptured(), await uncaptured('EUR'), await uncaptured('SEK'), await uncaptured()]
  await sweep(service.context)
  expect(runsOf('captureDeposits')).toBe(1)
  for (const { id, paymentId } of deposits) {
    expect(await depositStates(service, id)).toEqual(['CAPTURED'])
    expect(await eventsOf(paymentId)).toEqual(['begun', 'authorised', 'captured'])
  }
  expect(await ledgerProblems(service)).toEqual([])
})

test('more captures than one sweep claims at once are all recorded', async () => {
  const deposits = await Promise.all(Array.from({ length: 23 }, () => uncaptured()))
  await sweep(service.context)
  expect(runsOf('captureDeposits')).toBe(2)
  for (const { id } of deposits) expect(await depositStates(service, id)).toEqual(['CAPTURED'])
  expect(await ledgerProblems(service)).toEqual([])
})

test('a capture that cannot be recorded does not hold up the others of its sweep', async () => {
  const deposits = await Promise.all(Array.from({ length: 3 }, () => uncaptured()))
  const [broken, ...others] = deposits as [(typeof deposits)[0], ...typeof deposits]
  // Its capture is in the ledger already, so that the database refuses another.
  await service.context.database.script(`insert into transfer
    (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
    select deposit_id, 'capture', debit_account_id, credit_account_id, amount, currency, at from transfer
    where deposit_id = '${broken.paymentId}'`)
  await expect(sweep(service.context)).rejects.toThrow('a row with this key exists already')
  expect(await depositStates(service, broken.id)).toEqual(['AUTHORISED'])
  for (const { id } of others) expect(await depositStates(service, id)).toEqual(['CAPTURED'])
})

test('a sweep claims jobs only when one is due', async () => {
  await sweep(service.context)
  expect(runsOf('claimJobs')).toBe(0)
  await uncaptured()
  await sweep(service.context)
  await sweep(service.context)
  expect(runsOf('claimJobs')).toBe(1)
})
