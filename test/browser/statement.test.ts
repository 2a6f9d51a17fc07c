// The statement of a customer in the console, and the screens of refunds, disputes and withdrawals with something on them.

import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { expectNothingFound, violations } from '../harness/axe.ts'
import { openRoute, overflowOf, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { movementLine, newReference, sendLines, type TestMovement } from '../harness/movements.ts'
import {
  captured,
  debtor,
  refund,
  sweepUntilRefunds,
  tell,
  unappliedNotification,
  waitingRefund,
} from '../harness/refunds.ts'
import { useService } from '../harness/service.ts'
import { player, reviewedWithdrawal, waitingWithdrawal, withdrawn } from '../harness/withdrawals.ts'
import { newProposal } from '../operator/cases.ts'

const service = useService({ REVIEW_AFTER_SECONDS: '60' })
const consoles = useBrowser(service)

const moved = (customerId: number, kind: TestMovement['kind'], amount: string) =>
  movementLine({ reference: newReference(), customerId, kind, amount })

test('the statement of a customer has sums and lines, newest first, in pages; the tab of money has the last ten', async () => {
  const { id, paymentId } = await captured(service)
  const page = await consoles.signedIn()
  const open = async () => {
    await openRoute(page, 'queue')
    await openRoute(page, `customers/${id}?tab=statement`)
    await requestsAnswered(page)
    return page.getByRole('region', { name: 'Statement' })
  }
  await sendLines(service, [moved(id, 'stake', '5.00'), moved(id, 'winnings', '7.50')])
  const statement = await open()
  const rows = statement.getByRole('table').locator('tbody tr')
  await rows.nth(2).waitFor()
  const today = new Date(service.clock.now()).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  await statement
    .getByText(new RegExp(`to ${today}: opening balance 0\\.00 GBP, closing balance 22\\.50 GBP`))
    .waitFor()
  await statement.getByText('Net deposits since the account was opened: 20.00 GBP.').waitFor()
  const cells = (row: number) => rows.nth(row).locator('td').allInnerTexts()
  expect(await cells(0)).toEqual(['Winnings', '', '7.50', '22.50', expect.stringMatching(/^test-/)])
  expect(await cells(1)).toEqual(['Stake', '5.00', '', '15.00', expect.stringMatching(/^test-/)])
  expect(await cells(2)).toEqual(['Deposit', '', '20.00', '20.00', paymentId])

  await sendLines(
    service,
    Array.from({ length: 60 }, () => moved(id, 'stake', '0.10')),
  )
  await open()
  await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(50)
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('Rows 51 to 63 of 63').waitFor()
  const download = page.waitForEvent('download')
  await statement.getByRole('button', { name: 'Download statement (CSV)' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`statement-${id}.csv`)
  const lines = (await text(await file.createReadStream())).trim().split('\r\n')
  expect([lines.length, lines[0]]).toEqual([64, 'line,at,type,debit,credit,balance,paymentId,reference,betId,about'])
  await openRoute(page, `customers/${id}?tab=money`)
  await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(10)
  await statement.getByRole('link', { name: 'Whole statement' }).click()
  await page.getByText('Rows 1 to 50').waitFor()
})

test('axe finds nothing where money went back or goes out, and nothing is too wide on 320 pixels', {
  timeout: 600_000,
}, async () => {
  const { id, ticket, method, paymentId } = await captured(service)
  await refund(service, paymentId, '5.00')
  await sweepUntilRefunds(service, paymentId, ['DONE'])
  await withdrawn(service, { ticket, card: method, amount: '4.00' })
  await tell(service, paymentId, 'CHARGEBACK', '3.00')
  await sendLines(service, [moved(id, 'stake', '1.00'), moved(id, 'void', '1.00')])
  await waitingWithdrawal(service)
  const reviewed = await reviewedWithdrawal(service)
  await waitingRefund(service)
  await newProposal(service)
  await unappliedNotification(service)
  const owing = await debtor(service)
  const writeOff = { amount: '20.00', note: 'The customer has died' }
  await service.operator('POST', `/operator/v1/customers/${owing.id}/debt-write-offs`, writeOff)
  const excluded = await player(service, { amount: '20.00' })
  const status = { status: 'self-excluded', reason: 'Asked by telephone' }
  await service.operator('PUT', `/operator/v1/customers/${excluded.id}/status`, status)
  const page = await consoles.signedIn()
  const routes = [
    `deposits/${paymentId}`,
    'disputes',
    'refunds?show=all',
    'withdrawals',
    'withdrawals?show=all',
    `withdrawals/${reviewed.id}`,
    'money-proposals',
    'unapplied',
    'balances-to-pay',
    `customers/${id}?tab=money`,
    `customers/${owing.id}?tab=money`,
    `customers/${id}?tab=timeline`,
  ]
  for (const route of routes) {
    await openRoute(page, route)
    await page.locator('main h1').waitFor()
    await requestsAnswered(page)
    await expectNothingFound(page, `money-${route.replace(/\W.*/, '')}`)
    await page.setViewportSize({ width: 320, height: 640 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect([route, colorScheme, await violations(page)]).toEqual([route, colorScheme, []])
    }
    expect([route, await overflowOf(page, 320)]).toEqual([route, { page: 320, over: [] }])
  }
  await page.getByText('Withdrawal of 4.00 GBP to VISA … 1111, now').waitFor()
})
