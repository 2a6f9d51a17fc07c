// Both engines find what a plain comparison of all texts finds, in the windows and beyond them: in the index.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { searchWords } from '../../src/platform/runtime/search-words.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { indexed, searchIds } from '../harness/search.ts'
import { useService } from '../harness/service.ts'
import { newMatch, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })

/** More than the windows have. */
const PROFILES = 2_300
const TIPS = 4_600

const FREQUENT = ['Stays', 'further', 'on', 'fast', 'ground', 'the', 'each-way', 'price', 'Ärger', 'winner', 'winning']
const RARE = ['Zebra', 'zenith', 'Łódź', 'çelik', 'İzmir', '東京', 'über', 'Desert', 'desserts', '40/1', 'Ωmega', 'win']

/** The i-th text: frequent words, the first ones also in the newest, and rare ones only in some. */
function textOf(i: number): string {
  const words = [FREQUENT[i % 3], FREQUENT[(i * 7) % FREQUENT.length], FREQUENT[(i * 13 + 5) % FREQUENT.length]]
  if (i % 41 === 0) words.push(RARE[i % RARE.length])
  if (i % 97 === 0) words.push(RARE[(i * 5) % RARE.length])
  return words.join(' ')
}

type Profile = { id: number; name: string | null; biography: string; isActive: boolean }
type Tip = { id: number; author: number; text: string; isLive: boolean }
let profiles: Profile[]
let tips: Tip[]

beforeAll(async () => {
  const { database } = service.context
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  profiles = Array.from({ length: PROFILES }, (_, i) => {
    const name = i % 3 === 0 ? null : `${RARE[i % RARE.length]} ${FREQUENT[i % 7]} ${i}`
    return { id: 1_000_000 + i, name, biography: i % 5 === 0 ? '' : textOf(i * 3), isActive: i % 11 > 0 }
  })
  tips = Array.from({ length: TIPS }, (_, i) => {
    return { id: 1_000_000 + i, author: 1_000_000 + ((i * 17) % PROFILES), text: textOf(i), isLive: i % 13 > 0 }
  })
  const text = (value: string | null) => (value === null ? 'null' : `'${value}'`)
  await inParts(profiles, (rows) =>
    database.script(`
      insert into customer (id, status, verified, currency, funds_statement_version, created_at)
      values ${rows.map(({ id }) => `(${id}, 'active', 1, 'GBP', 1, 1)`)};
      insert into profile (id, customer_id, name, name_key, biography, status, created_at) values
      ${rows.map((p) => `(${p.id}, ${p.id}, ${text(p.name)}, ${text(p.name)}, ${text(p.biography)}, '${p.isActive ? 'A' : 'I'}', 1)`)}`),
  )
  await inParts(tips, (rows) =>
    database.script(`
      insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, start_order, state, listed)
      values ${rows.map((t) => `(${t.id}, ${t.author}, ${outcome.id}, 1, ${t.id}, 0, ${text(t.text)}, 1, -1, ${t.isLive ? "'live', 'A'" : "'removed', null"})`)}`),
  )
  await indexed(service)
})

async function inParts<Row>(rows: readonly Row[], insert: (part: readonly Row[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < rows.length; from += 500) await insert(rows.slice(from, from + 500))
}

function matches(query: string, text: string): boolean {
  const words = searchWords(text)
  return searchWords(query).every((prefix) => words.some((word) => word.startsWith(prefix)))
}

function tipsFor(query: string): number[] {
  const active = new Set(profiles.filter(({ isActive }) => isActive).map(({ id }) => id))
  const found = tips.filter(({ isLive, author, text }) => isLive && active.has(author) && matches(query, text))
  return found.map(({ id }) => id).reverse()
}

function profilesFor(query: string): number[] {
  const active = profiles.filter(({ isActive }) => isActive)
  const byName = active.filter(({ name }) => matches(query, name ?? ''))
  const all = active.filter(({ name, biography }) => matches(query, `${name ?? ''} ${biography}`))
  return [...byName, ...all.filter((one) => !byName.includes(one))].map(({ id }) => id)
}

const word = fc
  .tuple(fc.constantFrom(...FREQUENT, ...RARE, '7', 'ze', 'nothing'), fc.nat(8), fc.boolean())
  .map(([whole, cut, isUpper]) => {
    const part = whole.slice(0, Math.max(1, whole.length - cut))
    return isUpper ? part.toUpperCase() : part
  })
const query = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '))
  .filter((text) => text.length >= 2 && searchWords(text).join('').length >= 2)

test('comments', async () => {
  const block = fc.record({ blockSize: fc.integer({ min: 1, max: 20 }), blockNum: fc.integer({ min: 1, max: 100 }) })
  await fc.assert(
    fc.asyncProperty(query, fc.oneof(block, fc.constant({ blockSize: 20, blockNum: 1 })), async (q, of) => {
      const from = (of.blockNum - 1) * of.blockSize
      expect(await searchIds(service, 'comments', q, of)).toEqual(tipsFor(q).slice(from, from + of.blockSize))
    }),
    { numRuns: propertyRuns(30) },
  )
})

test('profiles', async () => {
  const block = fc.record({ blockSize: fc.integer({ min: 1, max: 100 }), blockNum: fc.nat(30) })
  await fc.assert(
    fc.asyncProperty(query, fc.oneof(block, fc.constant({ blockSize: 20, blockNum: 0 })), async (q, of) => {
      const from = of.blockNum * of.blockSize
      expect(await searchIds(service, 'profiles', q, of)).toEqual(profilesFor(q).slice(from, from + of.blockSize))
    }),
    { numRuns: propertyRuns(30) },
  )
})
