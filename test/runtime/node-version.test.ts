// Which Node runs Paddock: the check, package.json and the documents agree.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isInRange, nodeProblem } from '../../src/platform/runtime/node-version.ts'

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const range: string = JSON.parse(read('package.json')).engines.node

test.each([
  ['20.20.2', false],
  ['22.19.9', false],
  ['22.20.0', true],
  ['22.21.1', true],
  ['23.11.0', false],
  ['24.6.9', false],
  ['24.7.0', true],
  ['24.10.0', true],
  ['26.0.0', true],
  ['100.0.0', true],
])('Node %s: %s', (version, isEnough) => {
  expect(isInRange(version, '^22.20.0 || >=24.7.0')).toBe(isEnough)
})

test('the range of package.json is understood, and this Node is in it', () => {
  expect(isInRange(process.versions.node, range)).toBe(true)
  expect(() => isInRange('24.7.0', '24.x')).toThrow('write it like')
})

test('the message says what is needed, what there is, and what to do', () => {
  expect(nodeProblem('24.7.0', range)).toBeUndefined()
  expect(nodeProblem('20.20.2', range)?.split('\n')).toEqual([
    'Paddock needs Node 22.20 or later of 22, or 24.7 or later.',
    'This is Node 20.20.2.',
    'Install a newer one (https://nodejs.org) or use the image (docs/install.md), and run the command again.',
  ])
})

test('the documents name the same versions', () => {
  const [, older, newer] = /^\^(\d+\.\d+)\.0 \|\| >=(\d+\.\d+)\.0$/.exec(range) ?? []
  const words = `Node ${older}, or ${newer} or later`
  for (const name of ['README.md', 'docs/install.md']) expect([name, read(name).includes(words)]).toEqual([name, true])
})
