// No screen of the console shows a code where a person reads: states, reasons, accounts, events and roles are words.

import { expect, test } from 'vitest'
import { REVIEW_REASONS } from '../../src/wallets/deposits/reasons.ts'
import { DEPOSIT_STATES } from '../../web/words/deposits.ts'
import { EVENTS } from '../../web/words/events.ts'
import { ACCOUNTS, LINES } from '../../web/words/ledger.ts'
import { DISPUTE_STATES, PART_STATES, REFUND_STATES, REPORTS, WITHDRAWAL_STATES } from '../../web/words/money.ts'
import { ROLES } from '../../web/words/roles.ts'
import { openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { consoleScreens, seededSubjects } from './console-routes.ts'

const service = useService({ SANDBOX_SEED: 'on' })
const browser = useBrowser(service)

const STATES = [DEPOSIT_STATES, WITHDRAWAL_STATES, PART_STATES, REFUND_STATES, DISPUTE_STATES, REPORTS]
/** A code of one lower-case word cannot be told from that word. */
const NAMED = [ACCOUNTS, LINES, EVENTS, ROLES]
  .flatMap((words) => Object.keys(words))
  .filter((code) => /[-_.]/.test(code))
const CODES = new Set([...STATES.flatMap((words) => Object.keys(words)), ...REVIEW_REASONS, ...NAMED])

test('every screen of the console shows words', { timeout: 300_000 }, async () => {
  const subjects = await seededSubjects(service)
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
    const codes = texts.flatMap((text) => text.match(/[\w-]+(\.[\w-]+)*/g) ?? []).filter((word) => CODES.has(word))
    for (const code of new Set(codes)) found.push(`${route}: ${code}`)
  }
  expect(found).toEqual([])
})
