import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findBrowser } from './find-browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string
  }
}

/** Pages live for seconds: optimised code of axe and the applications costs more than it saves. */
const WITHOUT_OPTIMISING = '--js-flags=--no-opt'

/** In the locale C a browser's own language is no language tag. */
const LANGUAGE = '--accept-lang=en-GB'

/** The browser suites need the built web applications, also without npm, and a browser: one for all of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, [new URL('../../scripts/build-web.js', import.meta.url).pathname], {
    stdio: 'inherit',
  })
  const { path, args, env, folder } = await findBrowser()
  const browser = await chromium.launchServer({
    executablePath: path,
    args: [...args, WITHOUT_OPTIMISING, LANGUAGE],
    env: { ...process.env, ...env },
  })
  project.provide('browserEndpoint', browser.wsEndpoint())
  return async () => {
    await browser.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}
