// `paddock reconcile`: its exit codes, and deposits of a report that contradict the books.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { reconcile } from '../../../src/wallets/books/reconcile.ts'
import { gatewayTable } from '../../../src/wallets/gateways/gateways.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, deliver, startFakeAdyen } from '../../harness/adyen.ts'
import { newCard, newClient, payIn } from '../../harness/cashier.ts'
import { programEnvironment } from '../../harness/program-environment.ts'
import {
  newTestDatabase,
  type Settings,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../../harness/service.ts'
import { paddockProgram } from '../../harness/service-program.ts'
import { deposit, depositStates, paidOrFaultCode } from '../../harness/wallets.ts'

const HEADER = 'Company Account,Merchant Reference,Type,Gross Currency,Gross Credit (GC)'

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let testDatabase: TestDatabase
let settings: Settings
let service: TestService
let file: string
/** Captured deposits of Adyen in the order of time, and one of the sandbox between them. */
const ids: string[] = []
let sandboxId: string

beforeAll(async () => {
  fake = await startFakeAdyen()
  testDatabase = await newTestDatabase()
  settings = { ...testDatabase.settings, GATEWAY: 'adyen', GATEWAY_TIMEOUT_MS: '1000', ...adyenSettings(fake.url) }
  file = join(testDatabase.settings.DATA_DIR as string, 'report.csv')
  service = await startTestService(settings, testDatabase)
  for (let turn = 0; turn < 2; turn++) ids.push(await captured())
  await service.close()
  service = await startTestService({ ...settings, GATEWAY: 'sandbox' }, testDatabase)
  sandboxId = await captured('sandbox:approve')
  await service.close()
  service = await startTestService(settings, testDatabase)
  for (let turn = 0; turn < 2; turn++) ids.push(await captured())
})
afterAll(async () => {
  await service.close()
  await fake.close()
  await testDatabase.remove()
})

async function captured(token = 'approve'): Promise<string> {
  const client = await newClient(service)
  const id = await payIn(service, client, await newCard(service, client, 'A', { token }), 10)
  const isCaptured = async () => {
    await sweep(service.context)
    expect(await depositStates(service, client.id)).toEqual(['CAPTURED'])
  }
  // Before tests, where polling by `expect` is not possible.
  await vi.waitFor(isCaptured, { timeout: 60_000, interval: 20 })
  return id
}

const settled = (id: string, amount = '10.00', currency = 'GBP') => `Us,${id},Settled,${currency},${amount}`

async function breaksOf(...lines: string[]): Promise<string[]> {
  const report = gatewayTable.adyen.readReport(Readable.from([[HEADER, ...lines].join('\r\n')]))
  return (await reconcile(service.context.database, 'adyen', report)).breaks
}

type Outcome = { code: number; lines: string[]; error?: string }

function paddockReconcile(environment: Settings, ...commandLine: string[]): Promise<Outcome> {
  const env = { ...programEnvironment, ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [paddockProgram, 'reconcile', ...commandLine], { env }, (error, out, err) => {
      if (error?.code === 2) resolve({ code: 2, lines: [], error: err })
      else resolve({ code: error === null ? 0 : (error.code as number), lines: out.trim().split('\n') })
    })
  })
}

test('a report that agrees ends with exit code 0; deposits of other gateways are left out', async () => {
  writeFileSync(file, [HEADER, ...ids.map((id) => settled(id))].join('\r\n'))
  expect(await paddockReconcile(settings, file)).toEqual({ code: 0, lines: ['4 payments, 0 breaks'] })
})

test('breaks are printed, and the exit code is 1; the gateway of the report can be named, whatever GATEWAY is now', async () => {
  writeFileSync(file, [HEADER, settled(ids[0] as string), settled('nobody')].join('\n'))
  expect(await paddockReconcile(testDatabase.settings, file, 'adyen')).toEqual({
    code: 1,
    lines: ['nobody: settled, but there is no such deposit', '2 payments, 1 breaks'],
  })
  expect((await paddockReconcile(settings, file, 'toString')).error).toContain('There is no gateway toString')
})

test('what cannot be compared ends with exit code 2', async () => {
  expect((await paddockReconcile(settings)).code).toBe(2)
  expect((await paddockReconcile(settings, join(file, 'none'))).code).toBe(2)
  writeFileSync(file, 'a,b\n1,2\n')
  expect((await paddockReconcile(settings, file)).error).toContain('the report has no column "Merchant Reference"')
})

test('each difference of a deposit is a break', async () => {
  const [one, two, three, four] = ids as [string, string, string, string]
  expect(
    await breaksOf(
      settled(one),
      settled(one),
      settled(two, '10.01'),
      'Us,whatever,Fee,GBP,',
      `"Us\r\nand, others","${four}",Settled,"EUR",10.00`,
      settled('nobody'),
      settled(sandboxId),
    ),
  ).toEqual([
    `${one}: reported twice`,
    `${two}: settled 10.01 GBP, but the deposit is 10.00 GBP`,
    `${four}: settled 10.00 EUR, but the deposit is 10.00 GBP`,
    'nobody: settled, but there is no such deposit',
    `${sandboxId}: settled, but the deposit was made with sandbox`,
    `${three}: captured, but not settled`,
  ])
})

test('of a capture of less than the deposit, what was captured is compared', async () => {
  const client = await newClient(service)
  const id = await payIn(service, client, await newCard(service, client, 'A', { token: 'approve' }), 10)
  const body = adyenNotification({ event: 'CAPTURE', reference: id, psp: `CAPTURE-${id}`, value: 600 })
  await deliver(service, { body, headers: {} })
  expect(await breaksOf(settled(id, '6.00'))).toEqual([])
  expect(await breaksOf(settled(id))).toEqual([`${id}: settled 10.00 GBP, but the deposit is 6.00 GBP`])
})

test('a capture that the customer was told had failed is a break', async () => {
  const failing = async (token: string): Promise<string> => {
    const client = await newClient(service)
    const method = await newCard(service, client, 'A', { token })
    expect(paidOrFaultCode(await deposit(service, { ticket: client.ticket, method }))).toBe('24005')
    return (await service.operator('GET', `/operator/v1/deposits?customerId=${client.id}`)).body.items[0].paymentId
  }
  const tell = async (event: string, reference: string) => {
    const body = adyenNotification({ event, reference, psp: `${event}-${reference}` })
    await deliver(service, { body, headers: {} })
  }
  const [declined, voiding, voided] = [await failing('refuse-2'), await failing('reset'), await failing('reset')]
  await tell('TECHNICAL_CANCEL', voided)
  expect(await breaksOf(...[declined, voiding, voided].map((id) => settled(id)))).toEqual([
    `${declined}: settled, but the deposit is DECLINED`,
    `${voiding}: settled, but the deposit is VOIDING`,
    `${voided}: settled, but the deposit is VOIDED`,
  ])
  // Until a person has resolved it.
  await tell('CAPTURE', voided)
  expect(await breaksOf(settled(voided))).toEqual([`${voided}: settled, but the deposit is REVIEW`])
  const resolution = { outcome: 'captured', note: 'the gateway shows the capture' }
  expect((await service.operator('POST', `/operator/v1/deposits/${voided}/resolution`, resolution)).status).toBe(200)
  expect(await breaksOf(settled(voided))).toEqual([])
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
  const report = gatewayTable.sandbox.readReport(Readable.from([JSON.stringify(payments)]))
  expect(await reconcile(service.context.database, 'sandbox', report)).toEqual({
    payments: 3,
    breaks: [
      'lost-and-held: held, but there is no such deposit',
      'lost-and-captured: settled, but there is no such deposit',
    ],
  })
})
