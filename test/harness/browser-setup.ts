import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { findBrowser, type TestBrowser } from './find-browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    browser: TestBrowser
  }
}

/** The browser suites need a browser, found once for all of them, and the built console, also without npm. */
export default async function setup(project: TestProject): Promise<() => void> {
  execFileSync(process.execPath, [new URL('../../scripts/build-console.js', import.meta.url).pathname], {
    stdio: 'inherit',
  })
  const browser = await findBrowser()
  project.provide('browser', browser)
  return () => {
    if (browser.folder !== undefined) rmSync(browser.folder, { recursive: true, force: true })
  }
}
