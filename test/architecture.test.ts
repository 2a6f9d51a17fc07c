// The rules that ARCHITECTURE.md states, held by reading the sources.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('../src/', import.meta.url).pathname
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

const DOMAINS = [
  'profiles',
  'sessions',
  'applications',
  'customers',
  'moderation',
  'pictures',
  'communities',
  'sportsbook',
  'wallets',
]
/** Data, not code. */
const WORD_LISTS = ['moderation/word-lists.ts']

function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/from '(\.[^']+)'/g)].map((match) =>
    relative(root, resolve(root, dirname(file), match[1] as string)),
  )
}

describe('the house', () => {
  test('only a domain’s operations.ts imports from http/', () => {
    const offenders = files
      .filter((file) => DOMAINS.includes(file.split('/')[0] as string) && !file.endsWith('operations.ts'))
      .filter((file) => importsOf(file).some((target) => target.startsWith('http/')))
    expect(offenders).toEqual([])
  })

  test('only command-line.ts and the commands it runs read the environment', () => {
    const readers = files.filter((file) => textOf(file).includes('process.env'))
    expect(readers.filter((file) => file !== 'command-line.ts' && !file.startsWith('commands/'))).toEqual([])
  })

  test('no file is over 300 lines', () => {
    const long = files.filter((file) => !WORD_LISTS.includes(file) && textOf(file).split('\n').length > 301)
    expect(long).toEqual([])
  })

  test('nothing is left for later', () => {
    const left = files.filter((file) => /\b(TODO|FIXME|XXX)\b/.test(textOf(file)))
    expect(left).toEqual([])
  })
})
