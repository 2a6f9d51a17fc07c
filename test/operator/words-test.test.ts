import { beforeAll, expect, test } from 'vitest'
import { type Json, useService } from '../harness/service.ts'

const service = useService()
const path = '/operator/v1/moderation/words/test'

async function verdictOn(text: string, as = 'tip', lists = {}): Promise<Json> {
  const reply = await service.operator('POST', path, { text, as, ...lists })
  expect(reply.status).toBe(200)
  return reply.body
}

beforeAll(async () => {
  const lists = { blocked: ['zyzzyva'], allowed: ['Zyzzyva Wanderers'] }
  await service.operator('PUT', '/operator/v1/moderation/words', lists)
})

test('says which word of which list was found where, and what the API would suggest', async () => {
  expect(await verdictOn('  What a 𝒵yzzyva ')).toEqual({
    verdict: 'inappropriate',
    fault: { code: '30432', name: 'text', meaning: 'The text has inappropriate content' },
    text: 'What a 𝒵yzzyva',
    solution: 'What a *******',
    matches: [{ from: 7, to: 14, word: 'zyzzyva', list: 'blocked', rule: 'word', isAllowed: false }],
  })
  expect(await verdictOn('A fine day')).toEqual({
    verdict: 'fine',
    fault: null,
    text: 'A fine day',
    solution: null,
    matches: [],
  })
})

test('says how a word was found', async () => {
  const ruleIn = async (text: string) =>
    (await verdictOn(text)).matches.map(({ rule, list }: Json) => `${list} ${rule}`)
  expect(await ruleIn('oh fuck')).toContain('built-in word')
  expect(await ruleIn('absofuckinglutely')).toContain('built-in inside')
  expect(await ruleIn('oh f u c k')).toContain('built-in cut')
  expect(await ruleIn('oh f**k')).toContain('built-in hidden')
})

test('an allowed word is shown as such, and is no reason to refuse', async () => {
  const { verdict, matches } = await verdictOn('Zyzzyva Wanderers to win')
  expect({ verdict, matches }).toMatchObject({ verdict: 'fine', matches: [{ word: 'zyzzyva', isAllowed: true }] })
})

test('lists that are not saved yet can be tried, each on its own, and nothing is saved', async () => {
  expect((await verdictOn('a quibble', 'tip', { blocked: ['quibble'] })).verdict).toBe('inappropriate')
  expect((await verdictOn('a zyzzyva', 'tip', { blocked: ['quibble'] })).verdict).toBe('fine')
  expect((await verdictOn('a zyzzyva', 'tip', { allowed: ['zyzzyva'] })).verdict).toBe('fine')
  expect((await verdictOn('a quibble')).verdict).toBe('fine')
  const { body } = await service.operator('GET', '/operator/v1/moderation/words')
  expect(body).toMatchObject({ blocked: ['zyzzyva'], version: 1 })
})

test('agrees with what the public API answers', async () => {
  const { ticket } = await service.member()
  const texts = ['What a zyzzyva', '!!!', 'x'.repeat(141), 'x'.repeat(31), 'two\nlines', 'Fine', '', '\n'.repeat(12)]
  for (const as of ['name', 'biography'] as const) {
    for (const text of texts) {
      const query = new URLSearchParams({ [as]: text === 'Fine' ? 'Fine tester' : text })
      const reply = await service.call('PUT', `/v1/profiles/me?${query}`, { ticket })
      const tried = await verdictOn(text, as)
      expect({ as, text, code: tried.fault?.code ?? null }).toEqual({ as, text, code: codeIn(reply.text) })
      if (tried.solution !== null) expect(reply.text).toContain(tried.solution)
    }
  }
})

function codeIn(text: string): string | null {
  return /<faultCode>(\d+)/.exec(text)?.[1] ?? null
}

test('is not in the audit trail, and bad input is refused', async () => {
  const newest = async () => (await service.operator('GET', '/operator/v1/audit?limit=1')).body.items[0].id
  const before = await newest()
  await verdictOn('oh fuck')
  expect(await newest()).toBe(before)
  for (const body of [
    { text: 'x' },
    { text: 'x', as: 'email' },
    { text: 'x'.repeat(2001), as: 'tip' },
    { as: 'tip' },
  ]) {
    expect((await service.operator('POST', path, body)).status).toBe(422)
  }
})
