import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPlace, startTestService } from '../harness/service.ts'
import { deposit, depositor, reaches } from '../harness/wallets.ts'

const HEADER = 'Company Account,Merchant Reference,Type,Gross Currency,Gross Credit (GC)'

test('a settlement report is compared, and the exit code tells cron', async () => {
  const place = await newPlace()
  const file = join(place.settings.DATA_DIR as string, 'report.csv')
  const ids: string[] = []
  const service = await startTestService({}, place)
  for (let turn = 0; turn < 5; turn++) {
    const made = await depositor(service)
    ids.push((await deposit(service, made)).json().whoWallets.paymentId)
    // The last one is not captured yet.
    if (turn < 4) await reaches(service, made.id, ['CAPTURED'])
  }
  await service.close()
  const run = (lines: string[]) => {
    writeFileSync(file, [HEADER, ...lines].join('\r\n'))
    return reconcile(file, place.settings)
  }
  const settled = (id: string, amount = '10.00', currency = 'GBP') => `Us,${id},Settled,${currency},${amount}`
  try {
    const clean = await run(ids.slice(0, 4).map((id) => settled(id)))
    expect(clean).toEqual({ code: 0, lines: ['4 settled payments, 0 breaks'] })

    const [one, two, three, four, open] = ids as [string, string, string, string, string]
    const broken = await run([
      settled(one),
      settled(one),
      settled(two, '10.01'),
      'Us,whatever,Refunded,GBP,',
      `"Us","${four}",Settled,"EUR",10.00`,
      settled(open),
      settled('nobody'),
    ])
    expect(broken).toEqual({
      code: 1,
      lines: [
        `${one}: settled twice`,
        `${two}: settled 10.01 GBP, but the deposit is 10.00 GBP`,
        `${four}: settled 10.00 EUR, but the deposit is 10.00 GBP`,
        `${open}: settled, but the deposit is AUTHORISED`,
        'nobody: settled, but there is no such deposit',
        `${three}: captured, but not settled`,
        '6 settled payments, 6 breaks',
      ],
    })
    expect((await reconcile(join(file, 'none'), place.settings)).code).toBe(2)
    writeFileSync(file, 'a,b\n1,2\n')
    expect((await reconcile(file, place.settings)).code).toBe(2)
  } finally {
    await place.remove()
  }
})

function reconcile(file: string, settings: Record<string, string>): Promise<{ code: number; lines: string[] }> {
  const main = new URL('../../src/main.ts', import.meta.url).pathname
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, 'reconcile', file],
      { env: { PATH: process.env.PATH, ...settings } },
      (error, out) => resolve({ code: error === null ? 0 : (error.code as number), lines: out.trim().split('\n') }),
    )
  })
}
