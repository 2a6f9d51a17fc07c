import { describe, expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'

const service = useService()
const JSON_TYPE = 'application/json'

async function me(customer: TestCustomer, query = ''): Promise<Json> {
  const reply = await service.call('GET', `/v1/profiles/me${query}`, { ticket: customer.ticket, accept: JSON_TYPE })
  return reply.json().whoProfiles[0].profile
}

async function profile(id: number | string, ticket?: string): Promise<Json> {
  const reply = await service.call('GET', `/v1/profiles/${id}`, { accept: JSON_TYPE, ...(ticket ? { ticket } : {}) })
  return reply.json().whoProfiles[0].profile
}

async function update(customer: TestCustomer, fields: Record<string, string>) {
  const path = `/v1/profiles/me?${new URLSearchParams(fields)}`
  return service.call('PUT', path, { ticket: customer.ticket, accept: JSON_TYPE })
}

describe('the caller’s own profile', () => {
  test('is created by the first read, with default values', async () => {
    const customer = await service.customer({ username: 'a.private.name' })
    const created = await me(customer)
    expect(created).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: `player-${created.id}`,
      biography: '',
      picture: '/pictures/default.png',
      createdDateTimeZoned: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      numFollowings: '0',
      numFollowers: '0',
    })
    expect(await me(customer)).toEqual(created)
  })

  test('has the counts of tips with communities=Y, not with N or blank', async () => {
    const customer = await service.customer()
    expect((await me(customer, '?communities=Y')).communities).toEqual({
      comments: { type: 'tip', numLive: '0', numWinning: '0' },
    })
    expect(await me(customer, '?communities=N')).not.toHaveProperty('communities')
    expect(await me(customer, '?communities=')).not.toHaveProperty('communities')
  })

  test('is the XML that the contract shows, byte for byte', async () => {
    const customer = await service.customer()
    await update(customer, { name: `A & "B" ${customer.id}`, biography: "<it's>" })
    const { id, createdDateTimeZoned } = await me(customer)
    const reply = await service.call('GET', '/v1/profiles/me?communities=Y', { ticket: customer.ticket })
    expect(reply.text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<whoProfiles><profile id="${id}"><name>A &amp; &quot;B&quot; ${customer.id}</name>` +
        '<biography>&lt;it&apos;s&gt;</biography><picture>/pictures/default.png</picture>' +
        `<createdDateTimeZoned>${createdDateTimeZoned}</createdDateTimeZoned><numFollowings>0</numFollowings>` +
        '<numFollowers>0</numFollowers><communities><comments type="tip"><numLive>0</numLive>' +
        '<numWinning>0</numWinning></comments></communities></profile></whoProfiles>',
    )
  })

  test('is the answer of the call of getMyFollowers or getMyFollowings that creates it; then 204', async () => {
    for (const list of ['followers', 'followings']) {
      const { ticket } = await service.customer()
      const first = await service.call('GET', `/v1/profiles/me/${list}`, { ticket, accept: JSON_TYPE })
      expect(first.status).toBe(200)
      const [{ profile: created }] = first.json().whoProfiles
      expect(created.name).toBe(`player-${created.id}`)
      const second = await service.call('GET', `/v1/profiles/me/${list}`, { ticket, accept: JSON_TYPE })
      expect([second.status, second.text]).toEqual([204, ''])
    }
  })
})

describe('updateMyProfile', () => {
  test('changes the given fields, keeps the others, and answers without isFlagged, isFollowed and communities', async () => {
    const customer = await service.customer()
    await update(customer, { name: `First ${customer.id}`, biography: 'About me' })
    const reply = await update(customer, { biography: 'Changed' })
    expect(Object.keys(reply.json().whoProfiles[0].profile).sort()).toEqual(
      ['biography', 'createdDateTimeZoned', 'id', 'name', 'numFollowers', 'numFollowings', 'picture'].sort(),
    )
    expect(await me(customer)).toMatchObject({ name: `First ${customer.id}`, biography: 'Changed' })
  })

  test('changes nothing without parameters', async () => {
    const customer = await service.customer()
    expect((await update(customer, {})).status).toBe(200)
  })

  test('empties the biography when it is blank, and refuses a blank name', async () => {
    const customer = await service.customer()
    await update(customer, { biography: 'Something' })
    expect((await update(customer, { biography: '' })).status).toBe(200)
    expect((await me(customer)).biography).toBe('')
    for (const name of ['', '   ']) {
      expectFault(await update(customer, { name }), '/v1/profiles', 'invalid', 'name|biography')
    }
  })

  test('takes the parameters from headers too, as UTF-8; the query string wins', async () => {
    const customer = await service.customer()
    const latin1 = (text: string) => Buffer.from(text).toString('latin1')
    const headers = { name: latin1(`Zoë ${customer.id}`), biography: latin1('Überall €') }
    await service.call('PUT', '/v1/profiles/me', { ticket: customer.ticket, headers })
    expect(await me(customer)).toMatchObject({ name: `Zoë ${customer.id}`, biography: 'Überall €' })
    await service.call('PUT', '/v1/profiles/me?biography=Query', { ticket: customer.ticket, headers })
    expect((await me(customer)).biography).toBe('Query')
    const bad = { biography: '\u00ff\u00fe' }
    const refused = await service.call('PUT', '/v1/profiles/me', { ticket: customer.ticket, headers: bad })
    expectFault(refused, '/v1/profiles', 'invalid', 'name|biography')
  })

  test('counts code points after NFC and trimming', async () => {
    const customer = await service.customer()
    const emoji = `${'a'.repeat(29)}🐎`
    expect((await update(customer, { name: ` ${emoji} ` })).json().whoProfiles[0].profile.name).toBe(emoji)
    expect((await update(customer, { name: `${emoji}b` })).status).toBe(400)
    expect((await update(customer, { biography: 'e\u0301'.repeat(140) })).status).toBe(200)
    expect((await me(customer)).biography).toBe('é'.repeat(140))
    expect((await update(customer, { biography: 'x'.repeat(141) })).status).toBe(400)
  })

  test('refuses a name that differs from another only in case, width or invisible characters', async () => {
    const owner = await service.customer()
    const other = await service.customer()
    await update(owner, { name: `Straße ${owner.id}` })
    const wide = `Ｓtrasse ${owner.id}`
    for (const name of [`STRASSE ${owner.id}`, `straße ${owner.id}`, wide, `Straße\u200b ${owner.id}`]) {
      expectFault(await update(other, { name }), '/v1/profiles', 'nameTaken', 'name')
    }
    expect((await update(owner, { name: `STRASSE ${owner.id}` })).status).toBe(200)
  })

  test('gives a default name only to its owner', async () => {
    const [one, other] = [await service.member(), await service.member()]
    for (const name of [`player-${other.profileId}`, `PLAYER-${other.profileId}`, 'player-999999999']) {
      expectFault(await update(one, { name }), '/v1/profiles', 'nameTaken', 'name')
    }
    expect((await update(one, { name: `Player-${one.profileId}` })).status).toBe(200)
  })

  test.each([
    ['given twice', 'name=a1&name=a2'],
    ['a control character', 'name=a%07b'],
    ['a line break', 'name=a%0Ab'],
    ['not UTF-8', 'name=%ff%fe'],
    ['not percent-encoded', 'name=%zz'],
    ['a character that XML forbids', 'biography=a%EF%BF%BFb'],
    ['a mark that reverses text', 'name=a%E2%80%AEb'],
  ])('%s is not valid, and changes nothing', async (_what, query) => {
    const customer = await service.customer()
    const before = await me(customer)
    const reply = await service.call('PUT', `/v1/profiles/me?${query}`, { ticket: customer.ticket })
    expectFault(reply, '/v1/profiles', 'invalid', 'name|biography')
    expect(await me(customer)).toEqual(before)
  })

  test('refuses inappropriate text with a masked solution', async () => {
    const customer = await service.customer()
    const reply = await update(customer, { biography: 'What a fucking game' })
    const fault = expectFault(reply, '/v1/profiles', 'inappropriate', 'biography')
    expect(fault.solution).toBe('What a ******* game')
    expect((await me(customer)).biography).toBe('')
  })
})

describe('following', () => {
  const follow = (fan: TestCustomer, id: number, method = 'POST') =>
    service.call(method, `/v1/profiles/me/followings/${id}`, { ticket: fan.ticket, accept: JSON_TYPE })

  test('is counted once, however often it is repeated, and ends the same way', async () => {
    const [fan, star] = [await service.member(), await service.member()]
    for (let turn = 0; turn < 2; turn++) expect((await follow(fan, star.profileId)).status).toBe(204)
    expect(await profile(star.profileId, fan.ticket)).toMatchObject({ numFollowers: '1', isFollowed: 'Y' })
    expect(await me(fan)).toMatchObject({ numFollowings: '1', numFollowers: '0' })
    for (let turn = 0; turn < 2; turn++) {
      const reply = await follow(fan, star.profileId, 'DELETE')
      expect(reply.json()).toEqual({ whoProfiles: [{ profile: { id: `${star.profileId}`, status: 'I' } }] })
    }
    expect(await profile(star.profileId, fan.ticket)).toMatchObject({ numFollowers: '0', isFollowed: 'N' })
    expect(await me(fan)).toMatchObject({ numFollowings: '0' })
  })

  test('that fails does not create the caller’s profile', async () => {
    const { ticket } = await service.customer()
    expect((await service.call('POST', '/v1/profiles/me/followings/999999', { ticket })).status).toBe(404)
    const first = await service.call('GET', '/v1/profiles/me/followers', { ticket, accept: JSON_TYPE })
    expect(first.status).toBe(200)
  })

  test('is listed newest first, in blocks', async () => {
    const star = await service.member()
    const fans = []
    for (let count = 0; count < 5; count++) fans.push(await service.member())
    for (const fan of fans) await follow(fan, star.profileId)
    const newest = fans.map((fan) => `${fan.profileId}`).reverse()
    const list = async (query: string) => {
      const reply = await service.call('GET', `/v1/profiles/${star.profileId}/followers${query}`, { accept: JSON_TYPE })
      return reply.status === 204 ? [] : reply.json().whoProfiles.map((entry: Json) => entry.profile.id)
    }
    expect(await list('')).toEqual(newest)
    expect(await list('?blockSize=2')).toEqual(newest.slice(0, 2))
    expect(await list('?blockSize=2&blockNum=1')).toEqual(newest.slice(2, 4))
    expect(await list('?blockSize=2&blockNum=2')).toEqual(newest.slice(4))
    expect(await list('?blockSize=2&blockNum=3')).toEqual([])
    expect(await list('?blockNum=99999999999999999999')).toEqual([])
    const mine = await service.call('GET', '/v1/profiles/me/followings', {
      ticket: fans[0]?.ticket ?? '',
      accept: JSON_TYPE,
    })
    expect(mine.json().whoProfiles[0].profile).toMatchObject({
      id: `${star.profileId}`,
      isFollowed: 'Y',
      isFlagged: 'N',
    })
  })

  test('is listed in blocks of 20 by default', async () => {
    const fan = await service.member()
    for (let count = 0; count < 21; count++) await follow(fan, (await service.member()).profileId)
    const reply = await service.call('GET', '/v1/profiles/me/followings', { ticket: fan.ticket, accept: JSON_TYPE })
    expect(reply.json().whoProfiles).toHaveLength(20)
  })

  test.each([
    'blockSize=0',
    'blockSize=101',
    'blockSize=',
    'blockSize=x',
    'blockSize=-1',
    'blockSize=2&blockSize=2',
    'blockNum=',
    'blockNum=-1',
    'blockNum=1.5',
  ])('%s is not valid, in every list', async (query) => {
    const { profileId, ticket } = await service.member()
    for (const path of [`${profileId}/followers`, `${profileId}/followings`, 'me/followers', 'me/followings']) {
      const reply = await service.call('GET', `/v1/profiles/${path}?${query}`, { ticket })
      expectFault(reply, '/v1/profiles', 'invalid', 'blockSize|blockNum')
    }
  })

  test.each(['y', 'YES', 'true', '0'])('communities=%s is not valid, in every operation that has it', async (value) => {
    const { profileId, ticket } = await service.member()
    const paths = [
      `${profileId}`,
      `${profileId}/followers`,
      `${profileId}/followings`,
      'me',
      'me/followers',
      'me/followings',
    ]
    for (const path of [...paths, 'followers/latestFollowers', 'followers/mostFollowed']) {
      const reply = await service.call('GET', `/v1/profiles/${path}?communities=${value}`, { ticket })
      expectFault(reply, '/v1/profiles', 'invalid', 'communities')
    }
  })

  test('presence is checked before validity, validity before existence', async () => {
    const { ticket } = await service.member()
    const missing = await service.call('GET', '/v1/profiles//followers?communities=x', { ticket })
    expectFault(missing, '/v1/profiles', 'missing', 'id')
    const invalid = await service.call('GET', '/v1/profiles/99999999/followers?communities=x', { ticket })
    expectFault(invalid, '/v1/profiles', 'invalid', 'communities')
  })
})

describe('flags', () => {
  test('are shown to their own requester, and counted once', async () => {
    const [flagger, other, flagged] = [await service.member(), await service.member(), await service.member()]
    for (let turn = 0; turn < 2; turn++) {
      const reply = await service.call('PUT', `/v1/profiles/${flagged.profileId}/flag`, { ticket: flagger.ticket })
      expect([reply.status, reply.text]).toEqual([204, ''])
    }
    expect((await profile(flagged.profileId, flagger.ticket)).isFlagged).toBe('Y')
    expect((await profile(flagged.profileId, other.ticket)).isFlagged).toBe('N')
    const anonymous = await profile(flagged.profileId)
    expect(anonymous).not.toHaveProperty('isFlagged')
    expect(anonymous).not.toHaveProperty('isFollowed')
  })

  test('a customer without a profile can read with a ticket, which creates no profile', async () => {
    const [customer, read] = [await service.customer(), await service.member()]
    expect(await profile(read.profileId, customer.ticket)).toMatchObject({ isFlagged: 'N', isFollowed: 'N' })
    const first = await service.call('GET', '/v1/profiles/me/followers', { ticket: customer.ticket })
    expect(first.status).toBe(200)
  })
})
