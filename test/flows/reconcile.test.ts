import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sweep } from '../../src/wallets/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../harness/adyen.ts'
import { programEnvironment } from '../harness/program-environment.ts'
import { refund, refundsOf, sweepUntilRefunds } from '../harness/refunds.ts'
import { newTestDatabase, type Settings, startTestService, type TestDatabase } from '../harness/service.ts'
import { paddockProgram } from '../harness/service-program.ts'
import { deposit, depositStates, newDepositor } from '../harness/wallets.ts'
import { player, withdrawn } from '../harness/withdrawals.ts'

const HEADER = 'Company Account,Merchant Reference,Type,Gross Currency,Gross Credit (GC)'

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let testDatabase: TestDatabase
let settings: Settings
let file: string
/** Of Adyen, captured but for the last one. */
const ids: string[] = []
let sandboxId: string

beforeAll(async () => {
  fake = await startFakeAdyen()
  testDatabase = await newTestDatabase()
  settings = { ...testDatabase.settings, GATEWAY: 'adyen', ...adyenSettings(fake.url) }
  file = join(testDatabase.settings.DATA_DIR as string, 'report.csv')
  for (let turn = 0; turn < 3; turn++) ids.push(await makeDeposit('approve', 'CAPTURED'))
  sandboxId = await makeDeposit('sandbox:approve', 'CAPTURED')
  ids.push(await makeDeposit('approve', 'CAPTURED'), await makeDeposit('approve', 'AUTHORISED'))
})
afterAll(async () => {
  await fake.close()
  await testDatabase.remove()
})

async function makeDeposit(token: string, state: 'CAPTURED' | 'AUTHORISED'): Promise<string> {
  const gateway = token.startsWith('sandbox:') ? 'sandbox' : 'adyen'
  const service = await startTestService({ ...settings, GATEWAY: gateway }, testDatabase)
  try {
    const customer = await newDepositor(service, { token })
    const { paymentId } = (await deposit(service, customer)).json().whoWallets
    if (state === 'CAPTURED') await sweep(service.context)
    await vi.waitFor(async () => expect(await depositStates(service, customer.id)).toEqual([state]), 60_000)
    return paymentId
  } finally {
    await service.close()
  }
}

const settled = (id: string, amount = '10.00', currency = 'GBP') => `Us,${id},Settled,${currency},${amount}`

function compare(lines: string[], ...more: string[]) {
  writeFileSync(file, [HEADER, ...lines].join('\r\n'))
  return reconcile(settings, file, ...more)
}

test('a report that agrees ends with exit code 0; deposits of other gateways are left out', async () => {
  const clean = await compare(ids.slice(0, 4).map((id) => settled(id)))
  expect(clean).toEqual({ code: 0, lines: ['4 payments, 0 breaks'] })
})

test('every break is printed, and the exit code is 1', async () => {
  const [one, two, three, four, open] = ids as [string, string, string, string, string]
  const broken = await compare([
    settled(one),
    settled(one),
    settled(two, '10.01'),
    'Us,whatever,Fee,GBP,',
    `"Us\r\nand, others","${four}",Settled,"EUR",10.00`,
    settled(open),
    settled('nobody'),
    settled(sandboxId),
  ])
  expect(broken).toEqual({
    code: 1,
    lines: [
      `${one}: reported twice`,
      `${two}: settled 10.01 GBP, but the deposit is 10.00 GBP`,
      `${four}: settled 10.00 EUR, but the deposit is 10.00 GBP`,
      `${open}: settled, but the deposit is AUTHORISED`,
      'nobody: settled, but there is no such deposit',
      `${sandboxId}: settled, but the deposit was made with sandbox`,
      `${three}: captured, but not settled`,
      '7 payments, 7 breaks',
    ],
  })
})

test('the gateway of the report can be named, whatever GATEWAY is now', async () => {
  writeFileSync(file, [HEADER, ...ids.slice(0, 4).map((id) => settled(id))].join('\n'))
  expect((await reconcile(testDatabase.settings, file, 'adyen')).code).toBe(0)
  expect((await reconcile(settings, file, 'toString')).error).toContain('There is no gateway toString')
})

test('what the sandbox gateway answers at /payments is its report: payments without a deposit are breaks', async () => {
  const payment = (reference: string, state: string) => ({
    reference,
    token: '',
    amount: '1000',
    currency: 'GBP',
    state,
  })
  const payments = [
    payment(sandboxId, 'captured'),
    payment('lost-and-held', 'held'),
    payment('lost-and-captured', 'captured'),
    payment('released', 'cancelled'),
  ]
  writeFileSync(file, JSON.stringify(payments))
  expect(await reconcile(testDatabase.settings, file)).toEqual({
    code: 1,
    lines: [
      'lost-and-held: held, but there is no such deposit',
      'lost-and-captured: settled, but there is no such deposit',
      '3 payments, 2 breaks',
    ],
  })
})

test('what cannot be compared ends with exit code 2', async () => {
  expect((await reconcile(settings)).code).toBe(2)
  expect((await reconcile(settings, join(file, 'none'))).code).toBe(2)
  writeFileSync(file, 'a,b\n1,2\n')
  expect((await reconcile(settings, file)).code).toBe(2)
})

type Outcome = { code: number; lines: string[]; error?: string }

function reconcile(environment: Settings, ...commandLine: string[]): Promise<Outcome> {
  const env = { ...programEnvironment, ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [paddockProgram, 'reconcile', ...commandLine], { env }, (error, out, err) => {
      if (error?.code === 2) resolve({ code: 2, lines: [], error: err })
      else resolve({ code: error === null ? 0 : (error.code as number), lines: out.trim().split('\n') })
    })
  })
}

test('refunds and chargebacks of the report are those of the deposits', async () => {
  const service = await startTestService(settings, testDatabase)
  const id = ids[0] as string
  try {
    await refund(service, id, '3.00')
    await sweepUntilRefunds(service, id, ['SENT'])
    const notify = (event: string, psp: string, value: number) =>
      service.call('POST', '/v1/notifications/adyen', {
        key: null,
        secret: null,
        headers: { 'content-type': 'application/json' },
        body: adyenNotification({ event, reference: id, psp, value }),
      })
    const { gatewayReference } = (await refundsOf(service, id)).items[0]
    await notify('REFUND', gatewayReference, 300)
    await notify('CHARGEBACK', 'DISPUTE-1', 700)
  } finally {
    await service.close()
  }
  const header = 'Merchant Reference,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC)'
  const report = (...lines: string[]) => {
    writeFileSync(file, [header, `${id},Settled,GBP,,10.00`, ...lines].join('\r\n'))
    return reconcile(settings, file)
  }
  const clean = await report(`${id},Refunded,GBP,3.00,`, `${id},Chargeback,GBP,7.00,`)
  expect(clean).toEqual({ code: 0, lines: ['3 payments, 0 breaks'] })
  const broken = await report(
    `${id},Refunded,GBP,4.00,`,
    `${id},ChargebackReversed,GBP,,7.00`,
    `${id},RefundedReversed,GBP,,3.00`,
    'nobody,Chargeback,GBP,7.00,',
  )
  expect(broken.code).toBe(1)
  expect(broken.lines).toEqual(
    expect.arrayContaining([
      `${id}: refunded 4.00 GBP, but the deposit has no such refund`,
      `${id}: chargeback reversed 7.00 GBP, but the deposit has no such dispute`,
      `${id}: refund reversed 3.00 GBP, but the deposit has no such refund`,
      'nobody: charged back, but there is no such deposit',
    ]),
  )
})

test('payouts of the report are the withdrawals', async () => {
  const made = async (gateway: string, ...events: string[]): Promise<string> => {
    const service = await startTestService({ ...settings, GATEWAY: gateway }, testDatabase)
    try {
      const token = gateway === 'sandbox' ? 'sandbox:approve' : 'approve'
      const { ticket, cards } = await player(service, { token, amount: '10.00' })
      const id = await withdrawn(service, { ticket, card: cards[0] as number, amount: '10.00' })
      const read = async () => (await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body
      const isSent = async () => {
        await sweep(service.context)
        return (await read()).gatewayReference
      }
      await expect.poll(isSent, { timeout: 60_000, interval: 20 }).not.toBeNull()
      const { reference, gatewayReference } = await read()
      for (const event of events) {
        await service.call('POST', '/v1/notifications/adyen', {
          key: null,
          secret: null,
          headers: { 'content-type': 'application/json' },
          body: adyenNotification({ event, reference, psp: gatewayReference, value: 1000 }),
        })
      }
      return reference
    } finally {
      await service.close()
    }
  }
  const one = await made('adyen', 'PAYOUT_THIRDPARTY')
  const two = await made('adyen', 'PAYOUT_THIRDPARTY')
  const back = await made('adyen', 'PAYOUT_THIRDPARTY', 'PAIDOUT_REVERSED')
  const open = await made('adyen')
  const sandbox = await made('sandbox')
  const header = 'Merchant Reference,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC)'
  const report = (...lines: string[]) => {
    writeFileSync(file, [header, ...lines].join('\r\n'))
    return reconcile(settings, file)
  }
  const paid = (reference: string, amount = '10.00') => `${reference},PaidOut,GBP,${amount},`
  const reversed = (reference: string) => `${reference},PaidOutReversed,GBP,,10.00`
  const clean = await report(paid(one), paid(two), paid(back), reversed(back))
  expect(clean).toEqual({ code: 0, lines: ['4 payments, 0 breaks'] })
  const broken = await report(
    paid(one),
    paid(one),
    paid(back, '9.99'),
    paid(open),
    reversed(one),
    paid('nobody'),
    paid(sandbox),
  )
  expect(broken).toEqual({
    code: 1,
    lines: [
      `${one}: reported twice`,
      `${back}: paid out 9.99 GBP, but the withdrawal is 10.00 GBP`,
      `${open}: paid out, but the withdrawal is SENDING`,
      `${one}: payout reversed, but the withdrawal is PAID`,
      'nobody: paid out, but there is no such withdrawal',
      `${sandbox}: paid out, but the withdrawal was made with sandbox`,
      `${two}: paid, but not in the report`,
      '7 payments, 7 breaks',
    ],
  })
  const atBank = (reference: string, state: string) => ({
    reference,
    token: '',
    amount: '1000',
    currency: 'GBP',
    state,
  })
  writeFileSync(file, JSON.stringify([atBank(sandbox, 'paid'), atBank('lost', 'paid'), atBank('unpaid', 'open')]))
  expect(await reconcile(testDatabase.settings, file)).toEqual({
    code: 1,
    lines: ['lost: paid out, but there is no such withdrawal', '2 payments, 1 breaks'],
  })
})
