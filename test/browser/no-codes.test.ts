// No screen of the console shows a code where a person reads: states and reasons are words.

import { expect, test } from 'vitest'
import { REVIEW_REASONS } from '../../src/wallets/deposits/reasons.ts'
import { DEPOSIT_STATES } from '../../web/words/deposits.ts'
import { DISPUTE_STATES, PART_STATES, REFUND_STATES, REPORTS, WITHDRAWAL_STATES } from '../../web/words/money.ts'
import { openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { KEY, useService } from '../harness/service.ts'
import { waitingWithdrawal } from '../harness/withdrawals.ts'
import { endedDelivery } from '../operator/cases.ts'
import { consoleScreens } from './console-routes.ts'

const service = useService({ SANDBOX_SEED: 'on' })
const browser = useBrowser(service)

const STATES = [DEPOSIT_STATES, WITHDRAWAL_STATES, PART_STATES, REFUND_STATES, DISPUTE_STATES, REPORTS]
const CODES = new Set([...STATES.flatMap((words) => Object.keys(words)), ...REVIEW_REASONS])

test('every screen of the console shows words', { timeout: 300_000 }, async () => {
  const withdrawal = await waitingWithdrawal(service)
  const { items } = (await service.operator('GET', '/operator/v1/deposits?customerId=1')).body
  const subjects = {
    tip: 23,
    paymentId: items[0].paymentId,
    payerId: 1,
    webhookId: (await endedDelivery(service)).id,
    withdrawalId: withdrawal.id,
    apiKey: KEY,
    member: { id: 101, profileId: 21 },
  }
  const page = await browser.signedIn()
  const found: string[] = []
  for (const { route } of consoleScreens(subjects)) {
    await openRoute(page, route)
    await page.locator('main h1').waitFor()
    await requestsAnswered(page)
    // Payloads, and what a call of the audit trail sent, are shown as they were sent.
    const texts: string[] = await page.evaluate(
      "[...document.querySelectorAll('body *:not(pre, code, script, style)')].filter((one) => one.closest('table details') === null).flatMap((one) => [...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data))",
    )
    const codes = texts.flatMap((text) => text.match(/[\w-]+/g) ?? []).filter((word) => CODES.has(word))
    for (const code of new Set(codes)) found.push(`${route}: ${code}`)
  }
  expect(found).toEqual([])
})
