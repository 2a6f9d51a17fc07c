import { expect, test } from 'vitest'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { moveToQuietNoon, newLongDepositor, wallet } from '../../harness/limits.ts'
import { useService } from '../../harness/service.ts'
import { addCard, deposit, depositStates, ledgerProblems, paidOrFaultCode } from '../../harness/wallets.ts'

const service = useService()

const LIMITS = { day: '40.00', week: '33.00', month: '37.00' }

test('fifty parallel deposits never exceed the lowest of three limits', { timeout: 300_000 }, async () => {
  moveToQuietNoon(service)
  const who = await newLongDepositor(service)
  for (const [period, amount] of Object.entries(LIMITS))
    await wallet(service, who.ticket, 'PUT', `limits/${period}?amount=${amount}`)
  const codes: string[] = []
  // One is in flight at a time (24011), and few wait for the customer's lock (10030): each is repeated until it is decided.
  const client = async () => {
    for (let code = '24011'; code === '24011' || code === '10030'; ) {
      code = paidOrFaultCode(await deposit(service, { ...who, amount: '5.00' }))
      codes.push(code)
    }
  }
  await Promise.all(Array.from({ length: 50 }, client))
  expect(codes.filter((code) => code === 'paid')).toHaveLength(6)
  expect(codes.filter((code) => code === '24008')).toHaveLength(44)
  const { limits } = await wallet(service, who.ticket, 'GET', 'limits')
  expect(limits.map((one: { left: string }) => one.left)).toEqual(['10.00', '3.00', '7.00'])
  await sweep(service.context)
  expect(await ledgerProblems(service)).toEqual([])
})

test('a deposit in flight counts, and a limit that is set meanwhile holds for it', async () => {
  moveToQuietNoon(service)
  const who = await newLongDepositor(service)
  const slow = await addCard(service, who, { token: 'sandbox:slow-1000' })
  await wallet(service, who.ticket, 'PUT', 'limits/month?amount=30.00')
  const paying = deposit(service, { ticket: who.ticket, method: slow, amount: '20.00' })
  await expect.poll(() => depositStates(service, who.id), { timeout: 60_000, interval: 5 }).toEqual(['AUTHORISING'])
  const [month] = (await wallet(service, who.ticket, 'GET', 'limits')).limits
  expect(month).toMatchObject({ used: '20.00', left: '10.00' })
  await wallet(service, who.ticket, 'PUT', 'limits/day?amount=19.99')
  const reply = await paying
  expect([paidOrFaultCode(reply), reply.json().whoFaults[0].faultName]).toEqual(['24008', 'day'])
})

test('a first limit and a deposit at once: the deposit keeps it, or was before it', { timeout: 300_000 }, async () => {
  for (let round = 0; round < 10; round++) {
    const who = await newLongDepositor(service)
    const [reply, limits] = await Promise.all([
      deposit(service, { ...who, amount: '10.00' }),
      wallet(service, who.ticket, 'PUT', 'limits/day?amount=9.99'),
    ])
    expect(limits.limits).toHaveLength(1)
    const { used } = (await wallet(service, who.ticket, 'GET', 'limits')).limits[0]
    expect([paidOrFaultCode(reply), used]).toEqual(used === '0.00' ? ['24008', '0.00'] : ['paid', '10.00'])
  }
})
