import { expect, test } from 'vitest'
import { shownFormOf, shownTargetOf } from '../../src/http/operations/shown-target.ts'
import { allOperations } from '../../src/operations.ts'
import { recentRequests } from '../../src/platform/observability/recent-requests.ts'
import type { RawRequest } from '../../src/platform/observability/request-rings.ts'

const targetOf = (name: string) => {
  const operation = allOperations.find((one) => one.name === name)
  if (operation === undefined) throw new Error(`no operation ${name}`)
  return shownTargetOf(operation)
}

test.each([
  [
    'getFollowers',
    '/v1/profiles/7/followers?blockSize=5&blockNum=1',
    '/v1/profiles/7/followers?blockSize=5&blockNum=1',
  ],
  ['getFollowers', '/v1/profiles/7/followers', '/v1/profiles/7/followers'],
  ['getFollowers', '/v1/profiles/7/followers?blocksize=5&blockNum=1', '/v1/profiles/7/followers?blockNum=1&…'],
  [
    'getFollowers',
    '/v1/profiles/seven/followers?blockSize=five&blockNum=-1',
    '/v1/profiles/…/followers?blockSize=…&blockNum=-1',
  ],
  ['getFollowers', '/v1/profiles/7/followers/', '/v1/profiles/{id}/followers'],
  ['getFollowers', '/v1/profiles/%37/followers', '/v1/profiles/…/followers'],
  ['followProfile', '/v1/profiles/me/followers/7', '/v1/profiles/me/followers/7'],
  ['followProfile', '/v1/profiles/me/followings', '/v1/profiles/me/followings'],
  ['makeTransaction', '/v1/wallets/me?amount=5;cv2=737&id=1', '/v1/wallets/me?amount=…&id=1'],
  ['makeTransaction', '/v1/wallets/me?amount=5%26cv2=737&id=1', '/v1/wallets/me?amount=…&id=1'],
  ['makeTransaction', '/v1/wallets/me?amount=5%0Acv2=737&id=1', '/v1/wallets/me?amount=…&id=1'],
  ['makeTransaction', '/v1/wallets/me?amount=5%2526cv2%3D737', '/v1/wallets/me?amount=…'],
  ['makeDeposit', '/v1/wallets/me/deposits?language=en-41111111-11111111', '/v1/wallets/me/deposits?language=…'],
  [
    'makeDeposit',
    '/v1/wallets/me/deposits?userAgent=737&acceptHeader=737',
    '/v1/wallets/me/deposits?userAgent=…&acceptHeader=…',
  ],
  ['openStream', '/v1/stream?outcomes=4111,1111,1111,1111&account=Y', '/v1/stream?outcomes=…&account=Y'],
  ['getFollowers', '/v1/profiles/7/followers?4111111111111111', '/v1/profiles/7/followers?…'],
  ['getFollowers', '/v1/profiles/7/followers?%E0%A4=1', '/v1/profiles/7/followers?…'],
  ['makeTransaction', '/v1/wallets/me?amount=5&cv2=123&id=1', '/v1/wallets/me?amount=5&id=1&…'],
  ['makeTransaction', '/v1/wallets/me?amount=5&%63v2=123', '/v1/wallets/me?amount=5&…'],
  ['makeTransaction', '/v1/wallets/me?amount=4111111111111111', '/v1/wallets/me?amount=…'],
  ['makeTransaction', '/v1/wallets/me?amount=4111+1111%201111 1111&id=1', '/v1/wallets/me?amount=…&id=1'],
  ['makeTransaction', '/v1/wallets/me?amount=%34%31%31%31111111111111', '/v1/wallets/me?amount=…'],
  ['makeTransaction', '/v1/wallets/me?amount=4111-1111-1111-1111&id=1', '/v1/wallets/me?amount=…&id=1'],
  ['getProfile', '/v1/profiles/4111111111111111', '/v1/profiles/…'],
  ['createTicket', '/v1/sessions/tickets?username=ann&password=x&extended=Y', '/v1/sessions/tickets?extended=Y&…'],
  ['updateMyProfile', '/v1/profiles/me?name=Ann%20A&biography=x', '/v1/profiles/me?name=…&biography=…'],
  ['updateMyProfile', '/v1/profiles/me?%6eame=Ann&x=1', '/v1/profiles/me?name=…&…'],
  ['searchComments', '/v1/search/comments?blockSize=5&q=ann', '/v1/search/comments?blockSize=5&q=…'],
  ['flagProfile', '/v1/profiles/7/flag?reason=spam&note=ann', '/v1/profiles/7/flag?reason=spam&note=…'],
  ['appealDecision', '/v1/moderation/me/7/appeal?text=ann', '/v1/moderation/me/7/appeal?text=…'],
  ['checkTicket', '/v1/sessions/tickets/abcdef', '/v1/sessions/tickets/{ticket}'],
  ['endTicket', '/v1/sessions/tickets/abcdef?x=1', '/v1/sessions/tickets/{ticket}?…'],
])('%s %s', (name, url, shown) => {
  expect(targetOf(name)(url)).toBe(shown)
})

test('of a long target the beginning is shown', () => {
  const shown = targetOf('getFollowers')(`/v1/profiles/7/followers?${'blockSize=5&'.repeat(500)}`)
  expect(shown).toHaveLength(500)
  expect(shown.endsWith('…')).toBe(true)
})

test.each([
  ['makeTransaction', 'amount=5.00&cv2=737&card=4111111111111111', 'amount=5.00&…'],
  ['makeTransaction', 'amount=4111111111111111', 'amount=…'],
  ['createTicket', 'username=ann&password=sesame', '…'],
  ['createCommentOnOutcomeId', 'betId=7&text=my+tip', 'betId=7&text=…'],
])('the form of %s: %s', (name, form, shown) => {
  const operation = allOperations.find((one) => one.name === name)
  expect(shownFormOf(operation as never)(form)).toBe(shown)
})

test('what was added since is taken once, the oldest first, as far as it is in memory', () => {
  const recent = recentRequests(() => 1_000)
  for (let number = 1; number <= 250; number++) recent.add('a', request(number))
  recent.add('b', request(1))
  const taken = [...recent.takeUnsaved()]
  expect(taken.map(({ application }) => application)).toEqual([...Array(200).fill('a'), 'b'])
  expect(taken.slice(0, 200).map(({ request: { at } }) => at)).toEqual(
    Array.from({ length: 200 }, (_, index) => 51 + index),
  )
  recent.add('a', request(251))
  expect([...recent.takeUnsaved()]).toMatchObject([{ application: 'a', request: { at: 251 } }])
  expect([...recent.takeUnsaved()]).toEqual([])
})

const ALL = { operation: null, faultsOnly: false, limit: 1000 }

function request(number: number, more = {}) {
  const fixed = { method: 'GET', target: '/', status: 200, kind: '', faultName: '', hint: '', ms: 1, customer: null }
  return {
    ...fixed,
    id: `r-${number}`,
    at: number,
    operation: 'getProfile',
    representation: 'xml',
    body: '',
    answer: '',
    ...more,
  }
}

test('the last 200 requests of an application are kept, the newest first', () => {
  const recent = recentRequests(() => 1_000)
  for (let number = 1; number <= 450; number++) recent.add('a', request(number))
  recent.add('b', request(1, { kind: 'invalid' }))
  const found = recent.read('a', ALL)
  expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, index) => `r-${450 - index}`))
  expect(recent.read('a', { ...ALL, limit: 2 })).toHaveLength(2)
  expect(recent.read('a', { ...ALL, faultsOnly: true })).toEqual([])
  expect(recent.read('b', { ...ALL, faultsOnly: true })).toHaveLength(1)
  expect(recent.read('b', { ...ALL, operation: 'makeTransaction' })).toEqual([])
  expect(recent.read('c', ALL)).toEqual([])
})

test('of more than 100 applications, those that called least recently are forgotten; after a day, every request', () => {
  let now = 1_000
  const recent = recentRequests(() => now)
  for (let number = 1; number <= 100; number++) recent.add(`app-${number}`, request(number))
  recent.add('app-1', request(200))
  recent.add('app-101', request(201))
  expect(recent.read('app-2', ALL)).toEqual([])
  expect(recent.read('app-1', ALL)).toHaveLength(2)
  expect(recent.read('app-101', ALL)).toHaveLength(1)
  now = 86_400_000 + 150
  expect(recent.read('app-1', ALL).map(({ at }) => at)).toEqual([200])
})

/** As it came; `made` counts how often what may be shown of it was made. */
function raw(number: number, bytes: number, made: { times: number }) {
  const { target: _target, body: _body, answer: _answer, ...same } = request(number)
  const show = (one: RawRequest) => {
    made.times++
    return request(number, { answer: one.value === undefined ? '' : 'shown' })
  }
  return { ...same, url: '/', form: '', value: {}, bytes, shows: { keepsBodies: true, atOnce: false, show } }
}

test('what may be shown of a request is made when somebody looks, once', () => {
  const made = { times: 0 }
  const recent = recentRequests(() => 1_000)
  for (let number = 1; number <= 450; number++) recent.add('a', raw(number, 1_000, made))
  expect(made.times).toBe(0)
  expect(recent.read('a', { ...ALL, limit: 2 })).toHaveLength(2)
  expect(recent.read('a', { ...ALL, limit: 3 })).toHaveLength(3)
  expect(made.times).toBe(3)
  expect([...recent.takeUnsaved()]).toHaveLength(200)
  expect([...recent.showAll(), ...recent.takeUnsaved()]).toHaveLength(200)
  expect(made.times).toBe(200)
})

test('of requests that take more than 2 MB the older ones lose their answers; of applications that take 16 MB one is forgotten', () => {
  const made = { times: 0 }
  const recent = recentRequests(() => 1_000)
  for (let number = 1; number <= 200; number++) recent.add('a', raw(number, 100_000, made))
  const answers = recent.read('a', ALL).map(({ answer }) => answer)
  expect(answers).toHaveLength(200)
  const kept = answers.lastIndexOf('shown') + 1
  expect([kept > 15, kept < 21]).toEqual([true, true])
  for (let other = 1; other <= 12; other++) {
    for (let number = 1; number <= 20; number++) recent.add(`app-${other}`, raw(1_000 + other, 100_000, made))
  }
  expect(recent.read('a', ALL)).toEqual([])
  expect(recent.read('app-12', ALL)).toHaveLength(20)
  expect(recent.read('app-6', ALL)).toHaveLength(20)
})
