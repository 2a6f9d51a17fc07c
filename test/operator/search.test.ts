import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { deposit, newDepositor } from '../harness/wallets.ts'
import { newToken } from './cases.ts'

const service = useService()

type Found = { kind: string; id: string; title: string; detail: string }

async function search(q: string, more = '', token?: string) {
  const path = `/operator/v1/search?q=${encodeURIComponent(q)}${more}`
  const reply = await service.operator('GET', path, undefined, token)
  expect([q, reply.status]).toEqual([q, 200])
  return reply.body.groups as { kind: string; items: Found[]; cursor: string | null }[]
}

async function found(q: string, kind: string): Promise<string[]> {
  const groups = await search(q)
  return groups.find((group) => group.kind === kind)?.items.map(({ id }) => id) ?? []
}

test('customers are found by id, the beginning of the user name, and profile name', async () => {
  const one = await service.member({ username: 'Otto.Searched' })
  const two = await service.member({ username: 'otto.searched.too' })
  await service.call('PUT', '/v1/profiles/me?name=Ottoline+Morrell', { ticket: two.ticket })
  expect(await found(`${one.id}`, 'customer')).toEqual([`${one.id}`])
  expect(await found('OTTO.sea', 'customer')).toEqual([`${one.id}`, `${two.id}`])
  expect(await found('morrell', 'customer')).toEqual([`${two.id}`])
  expect(await found('searched', 'customer')).toEqual([])
  const [group] = await search('otto.searched.too')
  expect(group?.items[0]).toEqual({
    kind: 'customer',
    id: `${two.id}`,
    title: 'otto.searched.too',
    detail: `Customer ${two.id} · active · profile Ottoline Morrell`,
  })
})

test('comments are found by text and id whatever their state, page by page', async () => {
  const author = await service.member()
  const outcomes = (await newMatch(service, { outcomes: 5 })) as TestOutcome[]
  const ids: string[] = []
  for (const { id } of outcomes) ids.unshift(`${await newTip(service, author, id, { text: 'Meanders pleasantly' })}`)
  await service.operator('POST', `/operator/v1/moderation/comments/${ids[0]}`, { action: 'remove', note: '' })
  expect(await found('pleasantly', 'comment')).toEqual(ids)
  expect((await found(`${ids[2]}`, 'comment'))[0]).toBe(ids[2])
  const [first] = await search('meander', '&limit=2&kind=comment')
  expect(first?.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first?.items[0]?.detail).toMatch(/removed .* Event \d+ \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/)
  const [second] = await search('meander', `&limit=2&kind=comment&cursor=${first?.cursor}`)
  const [third] = await search('meander', `&limit=2&kind=comment&cursor=${second?.cursor}`)
  expect([second?.items, third?.items].map((items) => items?.map(({ id }) => id))).toEqual([
    ids.slice(2, 4),
    ids.slice(4),
  ])
  expect(third?.cursor).toBeNull()
})

test('profiles are found by name, biography and id, inactive ones too', async () => {
  const { ticket, profileId } = await service.member()
  await service.call('PUT', '/v1/profiles/me?name=Persephone&biography=Pomegranates', { ticket })
  await service.operator('POST', `/operator/v1/moderation/profiles/${profileId}`, { action: 'deactivate', note: '' })
  for (const q of ['perse', 'pomegranates', `${profileId}`]) {
    expect([q, await found(q, 'profile')]).toEqual([q, [`${profileId}`]])
  }
})

test('deposits are found by payment id, gateway reference, amount and last digits', async () => {
  const depositor = await newDepositor(service, { token: 'sandbox:approve' })
  const other = await newDepositor(service, { token: 'sandbox:approve' })
  const pay = async (who: typeof depositor, amount: string) =>
    (await deposit(service, { ...who, amount })).json().whoWallets.paymentId as string
  const [first, second, third] = [
    await pay(depositor, '31.07'),
    await pay(other, '31.07'),
    await pay(depositor, '32.00'),
  ]
  const { gatewayReference } = (await service.operator('GET', `/operator/v1/deposits/${first}`)).body
  expect(await found(first, 'deposit')).toEqual([first])
  expect(await found(gatewayReference, 'deposit')).toEqual([first])
  expect(await found('31.07', 'deposit')).toEqual([second, first])
  expect(await found('£31.07', 'deposit')).toEqual([second, first])
  expect(await found('£32', 'deposit')).toEqual([third])
  expect(await found('GBP 32.00', 'deposit')).toEqual([third])
  expect(await found('32', 'deposit')).toEqual([])
  expect(await found('1111', 'deposit')).toEqual([third, second, first])
  const [page] = await search('1111', '&limit=2&kind=deposit')
  const [last] = await search('1111', `&limit=2&kind=deposit&cursor=${page?.cursor}`)
  expect(last?.items.map(({ id }) => id)).toEqual([first])
})

test('each role finds what it may read', async () => {
  const author = await service.member({ username: 'rolecall' })
  await service.call('PUT', '/v1/profiles/me?name=Rolecall', { ticket: author.ticket })
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await newTip(service, author, outcome.id, { text: 'Rolecall' })
  const kinds = async (role: string) => {
    const { token } = await newToken(service, role)
    return (await search('rolecall', '', token)).map(({ kind }) => kind)
  }
  expect(await kinds('moderator')).toEqual(['profile', 'comment'])
  expect(await kinds('accounts')).toEqual(['customer'])
  expect(await kinds('auditor')).toEqual(['customer', 'profile', 'comment'])
  expect(await kinds('admin')).toEqual(['customer', 'profile', 'comment'])
  expect(await kinds('feed')).toEqual([])
})

test('what cannot be found is no error, and bad input is refused', async () => {
  for (const q of ['!', "'", '%', '_', '"a b', 'a* OR b', 'x'.repeat(100), '9'.repeat(40), '£', '\u{10ffff}']) {
    await search(q)
  }
  const status = async (query: string) => (await service.operator('GET', `/operator/v1/search${query}`)).status
  expect(await status('')).toBe(422)
  expect(await status('?q=')).toBe(422)
  expect(await status(`?q=${'x'.repeat(101)}`)).toBe(422)
  expect(await status('?q=word&kind=nobody')).toBe(422)
  expect(await status('?q=word&kind=comment&cursor=x')).toBe(422)
})

test('the audit trail does not have what was searched for', async () => {
  await search('secretname')
  const [entry] = (await service.operator('GET', '/operator/v1/audit?limit=1')).body.items
  expect(entry.action).toBe('searchAll')
  expect(JSON.stringify(entry)).not.toContain('secretname')
})
