// The log of tips: its entries, its proofs, its keys, and what verification says when something was changed.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Checkpoint, isSignedBy } from '../../src/tip-log/checkpoint.ts'
import { verifyConsistency, verifyInclusion } from '../../src/tip-log/merkle.ts'
import { type Json, type TestService, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { entriesOf, logged, readLog, verify as verifyNow } from '../harness/tip-log.ts'

const service = useService({ LOG_LEVEL: 'silent' })

const hash = (text: unknown) => Buffer.from(`${text}`, 'base64')
const hashes = (path: string) => (path === '' ? [] : path.split(' ').map(hash))

const verify = () => verifyNow(service)

async function tipOf(member: Awaited<ReturnType<TestService['member']>>, text = 'A fine price') {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  return { outcome, id: await newTip(service, member, outcome.id, { text }) }
}

test('an empty log has the root of nothing, and is intact', async () => {
  const { checkpoint } = await readLog(service)
  expect(checkpoint).toMatchObject({
    origin: expect.stringMatching(/^paddock-log-[0-9a-f]{16}$/),
    size: '0',
    root: createHash('sha256').digest('base64'),
  })
  expect((await verify()).problems).toEqual([])
  const reply = await service.call('GET', '/v1/communities/log/entries')
  expect([reply.status, reply.text]).toEqual([204, ''])
})

test('a tip, its withdrawal, its settlement and its correction are entries with proofs', async () => {
  const author = await service.member()
  const { outcome, id } = await tipOf(author, 'Goes well fresh')
  await logged(service.context.database)
  const shown = (await readLog(service, `/proofs/${id}`)).entry
  const text = createHash('sha256').update(Buffer.from(shown.salt, 'hex')).update('Goes well fresh').digest('hex')
  expect(shown.leaf).toMatch(
    new RegExp(
      `^tip id=${id} profile=${author.profileId} number=1 outcome=${outcome.id} sport=1 bet=\\d+ linked=- given=- ` +
        'givenAtStartingPrice=N price=11/10 atStartingPrice=N eachWay=- created=20[-0-9]+T[:.0-9]+Z ' +
        `text=${text}$`,
    ),
  )
  await service.call('PUT', `/v1/communities/comments/${id}`, { ticket: author.ticket })
  for (const result of ['win', 'lose'] as const) {
    await settle(service, outcome, result)
    await logged(service.context.database)
  }
  const { checkpoint, entry } = await readLog(service, `/proofs/${id}`)
  const kinds = entry.map(({ leaf }: Json) => leaf.replace(/ (at|closing|settled)=\S+/g, ''))
  expect(kinds).toEqual([
    shown.leaf,
    `state tip=${id} state=deactivated`,
    `settlement tip=${id} result=win deadHeat=- placeDeadHeat=- rule4=0.00 startingPrice=- grade=W staked=1 profit=1.100000 inPlay=N`,
    `settlement tip=${id} result=lose deadHeat=- placeDeadHeat=- rule4=0.00 startingPrice=- grade=L staked=1 profit=-1.000000 inPlay=N`,
  ])
  for (const { index, leaf, path, salt } of entry) {
    const proof = { index: Number(index), size: Number(checkpoint.size), leaf, path: hashes(path) }
    expect(verifyInclusion(proof, hash(checkpoint.root))).toBe(true)
    // The tip is withdrawn: its text is no longer shown.
    expect(salt).toBeUndefined()
  }
  expect((await verify()).problems).toEqual([])
})

test('each-way terms, dead heats, deductions and starting prices are in the entries', async () => {
  const author = await service.member()
  const [placed, atStart] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  const legs = [
    { outcomeId: placed.id, price: { num: 16, den: 1 }, eachWay: { num: 1, den: 4, places: 3 } },
    { outcomeId: atStart.id, startingPrice: true },
  ]
  await operatorOk(service, 'PUT', '/bets/900001', { customerId: author.id, legs })
  const ids = [placed, atStart].map(({ id }) => newTip(service, author, id, { betId: 900001 }))
  const [first, second] = (await Promise.all(ids)) as [number, number]
  await operatorOk(service, 'POST', `/markets/${placed.marketId}/settlement`, {
    results: {
      [placed.id]: { result: 'place', placeDeadHeat: { num: 1, den: 2 }, rule4: '0.10' },
      [atStart.id]: { result: 'win', startingPrice: { num: 7, den: 2 } },
    },
  })
  await logged(service.context.database)
  const leaves = (await entriesOf(service)).map(({ leaf }) => leaf)
  const one = (start: string) => leaves.find((leaf) => leaf.startsWith(start))
  expect(one(`tip id=${first} `)).toContain(' price=11/10 atStartingPrice=N eachWay=1/4 ')
  expect(one(`tip id=${second} `)).toContain(' price=- atStartingPrice=Y eachWay=- ')
  expect(one(`settlement tip=${first} `)).toContain(' result=place deadHeat=- placeDeadHeat=1/2 rule4=0.10 ')
  expect(one(`settlement tip=${first} `)).toContain(' grade=L staked=2 profit=-1.376250 ')
  expect(one(`settlement tip=${second} `)).toMatch(/ startingPrice=7\/2 .* grade=W staked=1 profit=3.500000 /)
  expect((await verify()).problems).toEqual([])
})

test('results that are corrected before they are logged', async () => {
  const author = await service.member()
  const { outcome, id } = await tipOf(author)
  for (const result of ['win', 'lose', 'void', 'win', 'lose'] as const) await settle(service, outcome, result)
  await logged(service.context.database)
  const { entry } = await readLog(service, `/proofs/${id}`)
  expect(entry.at(-1).leaf).toContain(' result=lose ')
  expect((await verify()).problems).toEqual([])
})

test('every size of the log is consistent with every later one', async () => {
  const author = await service.member()
  const seen: { size: number; root: Buffer }[] = []
  for (let round = 0; round < 4; round++) {
    await tipOf(author)
    await logged(service.context.database)
    const { checkpoint } = await readLog(service)
    seen.push({ size: Number(checkpoint.size), root: hash(checkpoint.root) })
  }
  const last = seen.at(-1) as (typeof seen)[0]
  for (const one of seen) {
    const { consistency } = await readLog(service, `/consistency?first=${one.size}&second=${last.size}`)
    expect(verifyConsistency(one, last, hashes(consistency.path))).toBe(true)
  }
})

test('a moderator’s removal and restoration are entries', async () => {
  const { id } = await tipOf(await service.member())
  await operatorOk(service, 'POST', `/moderation/comments/${id}`, { action: 'remove', note: 'spam' })
  await logged(service.context.database)
  expect((await entriesOf(service)).at(-1).leaf).toMatch(new RegExp(`^state tip=${id} state=removed at=`))
  expect((await verify()).problems).toEqual([])
  await operatorOk(service, 'POST', `/moderation/comments/${id}`, { action: 'restore', note: '' })
  await logged(service.context.database)
  expect((await entriesOf(service)).at(-1).leaf).toMatch(new RegExp(`^state tip=${id} state=live at=`))
  expect((await verify()).problems).toEqual([])
})

test('erasing a customer deletes text and salt; proofs stay valid', async () => {
  const author = await service.member()
  const { id } = await tipOf(author, 'Nobody may read this for ever')
  await logged(service.context.database)
  const before = (await readLog(service, `/proofs/${id}`)).entry
  await service.operator('DELETE', `/operator/v1/customers/${author.id}/personal-data`)
  const after = (await readLog(service, `/proofs/${id}`)).entry
  expect(after.leaf).toBe(before.leaf)
  expect(after.salt).toBeUndefined()
  expect((await verify()).problems).toEqual([])
})

test('a tip whose author is erased before it is logged', async () => {
  const author = await service.member()
  const { id } = await tipOf(author, 'Too late')
  await service.operator('DELETE', `/operator/v1/customers/${author.id}/personal-data`)
  await logged(service.context.database)
  expect((await readLog(service, `/proofs/${id}`)).entry.leaf).toContain(`tip id=${id} `)
  expect((await verify()).problems).toEqual([])
})

test('a new key signs from now on; the old one stays published', async () => {
  const before = (await readLog(service)).checkpoint
  const rotated = await operatorOk(service, 'POST', '/log/keys', undefined)
  expect(rotated.items).toMatchObject([{ id: before.keyId, retiredAt: expect.any(String) }, { retiredAt: null }])
  const after = (await readLog(service)).checkpoint
  expect(after).toMatchObject({ size: before.size, root: before.root, keyId: rotated.items[1].id })
  await tipOf(await service.member())
  await logged(service.context.database)
  const keys: Json[] = (await readLog(service, '/keys')).key
  const publicKeyOf = (id: string) => keys.find((key) => key.id === id)?.publicKey
  const toCheckpoint = (one: Json): Checkpoint => ({ ...one, size: Number(one.size), time: Date.parse(one.time) })
  expect(isSignedBy(toCheckpoint(before), publicKeyOf(before.keyId))).toBe(true)
  expect(isSignedBy(toCheckpoint(after), publicKeyOf(after.keyId))).toBe(true)
  expect(isSignedBy(toCheckpoint(after), publicKeyOf(before.keyId))).toBe(false)
  expect((await verify()).problems).toEqual([])
})

test('each profile’s tips are numbered, and give its record', async () => {
  const [author, other] = [await service.member(), await service.member()]
  for (const result of ['win', 'lose', 'void', 'win'] as const) {
    const { outcome } = await tipOf(author)
    await tipOf(other)
    await settle(service, outcome, result)
  }
  await logged(service.context.database)
  const { problems, leaves } = await verify()
  expect(problems).toEqual([])
  expect(leaves.recordOf(`${author.profileId}`)).toEqual({ tips: 4, settled: 4, won: 2, staked: 3, profit: 1_200_000 })
  expect(leaves.recordOf(`${other.profileId}`)).toMatchObject({ tips: 4, settled: 0 })
})

test('entries in blocks are the entries of the whole', async () => {
  const all = await entriesOf(service)
  expect(all.map(({ index }) => Number(index))).toEqual(all.map((_, index) => index))
  expect([...(await entriesOf(service, '?start=0&count=3')), ...(await entriesOf(service, '?start=3'))]).toEqual(all)
})
