// Measures what a visitor with a phone waits for: `npm run bench:first-view -- --help`.

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium } from 'playwright-core'
import { positiveNumber, readCommandLine } from '../scripts/command-line.js'
import { findBrowser } from '../test/harness/find-browser.ts'
import { pathOf, startPaddock } from './processes.ts'
import { median } from './statistics.ts'

const USAGE = `Usage: npm run bench:first-view -- [options]

  Opens the application on a phone with 1.6 Mbit/s, 150 ms of latency and a quarter of this processor, with an empty cache:
  the first page, and the feed of somebody who is logged in. Prints the largest contentful paint (target: 2 s), the layout
  shift (target: 0.05) and the compressed script (target: 100 KB).

  --rounds N   visits of each page (5)
  --help`

const { rounds } = readCommandLine(USAGE, (args) => {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '5' } } })
  return { rounds: Math.ceil(positiveNumber('--rounds', values.rounds)) }
})

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }
const PROCESSOR_RATE = 4
/** Then everything is there, and nothing moves any more. */
const SETTLED_MS = 6_000

type Visit = { paintMs: number; shift: number; scriptBytes: number }

/** Run in the page, where this project has no DOM types: hence text. */
const OBSERVE = `globalThis.seen = { paintMs: 0, shift: 0 }
new PerformanceObserver((list) => { seen.paintMs = list.getEntries().at(-1).startTime })
  .observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) seen.shift += one.value })
  .observe({ type: 'layout-shift', buffered: true })`
const READ = `({ ...seen, scriptBytes: performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) })`

async function visit(context: BrowserContext, url: string, customer: string | undefined): Promise<Visit> {
  const page = await context.newPage()
  await page.addInitScript(OBSERVE)
  if (customer !== undefined)
    await page.addInitScript(`sessionStorage.setItem('paddock-showcase-customer', '${customer}')`)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_RATE })
  await page.goto(url)
  await page
    .locator(customer === undefined ? 'main button' : 'main article')
    .first()
    .waitFor()
  await page.waitForTimeout(SETTLED_MS)
  return page.evaluate(READ)
}

execFileSync(process.execPath, [pathOf('../scripts/build-web.js')], { stdio: 'inherit' })
const service = await startPaddock({}, { mode: 'sandbox' })
const { path, args, env, folder } = await findBrowser()
const browser = await chromium.launch({ executablePath: path, args, env: { ...process.env, ...env } })
try {
  for (const [name, customer] of [
    ['the first page', undefined],
    ['the feed', 'alice'],
  ] as const) {
    const visits: Visit[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext(PHONE)
      visits.push(await visit(context, `http://127.0.0.1:${service.port}/app/`, customer))
      await context.close()
    }
    const paints = visits.map(({ paintMs }) => paintMs)
    const shift = Math.max(...visits.map((one) => one.shift))
    console.log(
      `${name}: largest contentful paint ${Math.round(median(paints))} ms (${Math.round(Math.min(...paints))} to ` +
        `${Math.round(Math.max(...paints))}), layout shift ${shift.toFixed(3)} at most, ` +
        `${Math.round((visits[0]?.scriptBytes ?? 0) / 1000)} KB of script`,
    )
  }
} finally {
  await browser.close()
  await service.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
