// A deposit whose process died at the gateway, and the service that starts after it.

import { expect, test } from 'vitest'
import { engine, newTestDatabase, startTestService } from '../../harness/service.ts'
import {
  deposit,
  depositStates,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
  slowGateway,
} from '../../harness/wallets.ts'

// An embedded database has one service, so what it finds undecided at its start has nobody. On PostgreSQL another service
// may still wait for the gateway.
test('its key is answered with the result after the restart, on PostgreSQL after the lease', async () => {
  const testDatabase = await newTestDatabase()
  const gateway = slowGateway()
  const first = await startTestService({}, testDatabase, { gateway: gateway.observe })
  const depositor = await newDepositor(first)
  const order = { ...depositor, key: 'restart' }
  gateway.meanwhile(async () => {
    const next = await startTestService({}, testDatabase)
    const again = paidOrFaultCode(await deposit(next, order))
    expect([engine, again]).toEqual([engine, engine === 'sqlite' ? '24005' : '24011'])
    await next.close()
  })
  const answer = paidOrFaultCode(await deposit(first, order))
  expect([engine, answer]).toEqual([engine, engine === 'sqlite' ? '24005' : 'paid'])
  const [state] = await depositStates(first, depositor.id)
  expect(engine === 'sqlite' ? ['VOIDING', 'VOIDED'] : ['AUTHORISED']).toContain(state)
  expect(await ledgerProblems(first)).toEqual([])
  await first.close()
  await testDatabase.remove()
})
