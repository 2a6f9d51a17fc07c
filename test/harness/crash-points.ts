// The points at which the processes of crash tests are killed: every await of a path that writes, locks, commits or calls the gateway.
// They are listed in a text beside the test, by path: the test compares each list with what the path goes through.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { isEachChange } from './each-change.ts'
import { engine } from './service.ts'

export type Points = Readonly<Record<string, readonly string[]>>

/** `npm run test:all`, or CRASH_POINTS=all: at every await. */
export const EVERY_POINT = process.env.CRASH_POINTS === 'all' || process.env.TEST_SUITES === 'all'

/** `npm test` plays each case on one engine: a kill costs several times as much on PostgreSQL, which plays every third. */
export function playedHere<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => !isEachChange || (index % 3 === 0) === (engine === 'postgres'))
}

/** UPDATE_POINTS=1 writes the lists, instead of comparing them. */
const isUpdate = process.env.UPDATE_POINTS === '1'

/** What the process has reached so far. */
type Look = () => Promise<readonly string[]>

export function pointLists(file: URL) {
  const listed: Points = existsSync(file) ? readLists(readFileSync(file, 'utf8')) : {}
  const walked = new Map<string, readonly string[]>()
  return {
    /** As listed; none for a path that is new. */
    of: (path: string): readonly string[] => listed[path] ?? [],
    /** The path goes through these, and no others. A new await is added with UPDATE_POINTS=1. */
    async compare(path: string, look: Look): Promise<void> {
      if (isUpdate) return void walked.set(path, await untilQuiet(look))
      const expected = listed[path] ?? []
      // A point that is not listed is told at once: only for those that are still to come is there anything to wait for.
      const isUnderWay = (points: readonly string[]) =>
        points.length < expected.length && points.every((point, index) => point === expected[index])
      const compared = async () => expect(isUnderWay(await look())).toBe(false)
      await vi.waitFor(compared, { timeout: 60_000, interval: 10 }).catch(() => {})
      expect(await look()).toEqual(expected)
    },
    /** After all paths were walked, in their order. */
    update(paths: readonly string[]): void {
      if (!isUpdate) return
      const texts = paths.map((path) => [path, ...(walked.get(path) ?? [])].join('\n  '))
      writeFileSync(file, `${texts.join('\n\n')}\n`)
    },
  }
}

/** Nothing happened for a while. */
async function untilQuiet(look: Look): Promise<readonly string[]> {
  for (let before = await look(), times = 0; ; ) {
    await pause(300)
    const points = await look()
    times = points.length === before.length ? times + 1 : 0
    if (times === 5) return points
    before = points
  }
}

/** A path's name, and its points below it, with two spaces before each. */
function readLists(text: string): Points {
  const blocks = text.split('\n\n').filter((block) => block.trim() !== '')
  return Object.fromEntries(
    blocks.map((block) => {
      const [name = '', ...points] = block.trim().split('\n')
      return [name, points.map((point) => point.trim())]
    }),
  )
}

const CALLS = 'authorise|finishChallenge|capture|cancel|refund|payout|lookUpPayout'
const isAnswer = (point: string) => new RegExp(`^after (${CALLS}) #`).test(point)
const isCommit = (point: string) => point.startsWith('after commit')
const callsGateway = (point: string) => new RegExp(`^(before|after) (${CALLS}) #`).test(point)

/**
 * Where a kill leaves something else behind than a kill before it, each on one engine: on PostgreSQL after what is stored or what the
 * gateway has done has changed, on SQLite at the last statement of each transaction, of which nothing is committed, whichever statement
 * is the last to run, and whichever engine rolls it back. A kill after the last commit leaves nothing to finish.
 */
export function distinctPoints(points: readonly string[]): string[] {
  const isChange = (point: string) => isCommit(point) || isAnswer(point) || point.startsWith('after claimJobs')
  const isLast = (i: number) => points[i + 1]?.startsWith('after commit') === true
  const isDistinct = (point: string, i: number) => (engine === 'sqlite' ? isLast(i) : isChange(point))
  return EVERY_POINT ? [...points] : points.slice(0, -1).filter(isDistinct)
}

type Walk = { readonly token: string; readonly points: readonly string[] }

/** Up to a commit, or an answer of the gateway. */
function segmentsOf(points: readonly string[]): string[][] {
  const segments: string[][] = [[]]
  for (const point of points) {
    segments.at(-1)?.push(point)
    if (isCommit(point) || isAnswer(point)) segments.push([])
  }
  return segments.filter(({ length }) => length > 0)
}

const plain = (segment: readonly string[]) => segment.map((point) => point.replace(/ #[0-9]+$/, '')).join()

/** What a segment does, and what led to it, unless it begins with a job. What the bank does depends on the token of the card. */
function keysOf({ token, points }: Walk): string[] {
  const segments = segmentsOf(points)
  return segments.map((segment, index) => {
    const before = segment[0]?.startsWith('after firstDueJob') ? [] : (segments[index - 1] ?? [])
    return `${plain(before)} then ${plain(segment)} with ${segment.some(callsGateway) ? token : ''}`
  })
}

/** The points of each path without those whose segment an earlier path has too, after the same: these are killed at there. */
export function ownPoints(walks: readonly Walk[]): string[][] {
  const seen = new Set<string>()
  return walks.map((walk) => {
    const keys = keysOf(walk)
    const own = segmentsOf(walk.points).filter((_, index) => !seen.has(keys[index] as string))
    for (const key of keys) seen.add(key)
    return own.flat()
  })
}
