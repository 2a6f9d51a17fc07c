import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser, installed, isOfOtherArchitecture, named, SOURCES } from './find-browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-browsers-'))
const other = process.arch === 'arm64' ? 'x64' : 'arm64'

/** The first bytes of a binary for Linux. */
function elf(arch: string): Buffer {
  const head = Buffer.alloc(64)
  head.writeUInt32BE(0x7f454c46)
  head.writeUInt16LE(arch === 'x64' ? 62 : 183, 18)
  return head
}

function machO(arch: string): Buffer {
  const head = Buffer.alloc(64)
  head.writeUInt32BE(0xcffaedfe)
  head.writeUInt32LE(arch === 'x64' ? 0x01000007 : 0x0100000c, 4)
  return head
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  chmodSync(path, 0o755)
  return path
}

const path = process.env.PATH
beforeAll(() => {
  process.env.PATH = `${folder}:${path}`
})
afterAll(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true, force: true })
})

describe('the browser for the tests', () => {
  test('binaries of another architecture are recognised', () => {
    expect(isOfOtherArchitecture(file('elf-other', elf(other)))).toBe(true)
    expect(isOfOtherArchitecture(file('elf-own', elf(process.arch)))).toBe(false)
    expect(isOfOtherArchitecture(file('mach-o-other', machO(other)))).toBe(true)
    expect(isOfOtherArchitecture(file('mach-o-own', machO(process.arch)))).toBe(false)
    expect(isOfOtherArchitecture(file('script', '#!/bin/sh\n'))).toBe(false)
    expect(isOfOtherArchitecture(process.execPath)).toBe(false)
  })

  test('a configured browser is used, or reported as missing', () => {
    const works = file('works', '#!/bin/sh\nexit 0\n')
    expect(named('')).toBe(undefined)
    expect(named(works)?.path).toBe(works)
    for (const broken of [file('fails', '#!/bin/sh\nexit 1\n'), file('foreign', elf(other)), join(folder, 'missing')]) {
      expect(() => named(broken)).toThrow(`TEST_BROWSER=${broken} does not start on this machine`)
    }
  })

  test('the first installed browser that starts is used', () => {
    file('first', elf(other))
    file('second', '#!/bin/sh\nexit 1\n')
    const third = file('third', '#!/bin/sh\nexit 0\n')
    const names = ['missing', 'first', 'second', 'third', 'works']
    const candidates = process.platform === 'linux' ? names : names.map((name) => join(folder, name))
    expect(installed(candidates)?.path).toBe(third)
    expect(installed(['missing'])).toBe(undefined)
  })

  test('sources are tried in order; without any, the error is one line with the command to install one', async () => {
    const tried: string[] = []
    const none = (name: string) => () => {
      tried.push(name)
      return undefined
    }
    const found = { path: 'x', args: [], env: {} }
    expect(await findBrowser([none('first'), none('second'), () => found, none('third')])).toBe(found)
    expect(tried).toEqual(['first', 'second'])
    const error = await findBrowser([none('first')]).catch((problem: Error) => problem.message)
    expect(error).toMatch(/^No browser for the tests: .*apt-get install chromium.*TEST_BROWSER=\S+\.$/)
  })
})

describe('the order of browsers', () => {
  test('one of the environment comes first, then that of the package, an installed one, and the installers', () => {
    expect(SOURCES.map(({ name }) => name)).toEqual([
      'named',
      'fromPackage',
      'installed',
      'fromPlaywright',
      'fromDebian',
    ])
  })

  test('an installed headless shell is preferred to a whole browser', () => {
    if (process.platform !== 'linux') return
    file('chromium', '#!/bin/sh\nexit 0\n')
    const shell = file('chromium-headless-shell', '#!/bin/sh\nexit 0\n')
    process.env.PATH = folder
    try {
      expect(installed()?.path).toBe(shell)
    } finally {
      process.env.PATH = `${folder}:${path}`
    }
  })
})
