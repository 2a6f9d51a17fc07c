// The story of one tip: flagged, removed, appealed and restored. Two moderators work at once in two browsers.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { appealed, flagTip, ownDecisions, tipBy } from '../harness/appeals.ts'
import { openRoute, passTimeToUndo, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

type Member = TestCustomer & { profileId: number }

const COMMENTS = '/v1/communities/comments'

/** Where a follower finds the tip: the feed and the author's list; and the profile with its counts. */
async function sightings(tip: number, author: Member, { ticket }: Member) {
  const get = async (path: string) => (await service.call('GET', path, { ticket, accept: 'application/json' })).text
  const lists = [`${COMMENTS}/profiles/me/followings?status=A`, `${COMMENTS}/profiles/${author.profileId}?status=A`]
  const found = await Promise.all(lists.map(async (path) => (await get(path)).includes(`"id":"${tip}"`)))
  const profile = JSON.parse(await get(`/v1/profiles/${author.profileId}?communities=Y`)).whoProfiles[0].profile
  return { found, single: (await service.call('GET', `${COMMENTS}/${tip}`, { ticket })).status, profile }
}

async function reporterWeight({ profileId }: Member): Promise<string> {
  return (await service.operator('GET', `/operator/v1/reporters/${profileId}`)).body.weight
}

async function moderator(name: string): Promise<Page> {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', name))
  await openRoute(page, 'queue?kind=comment')
  await page.getByRole('article').locator('blockquote').first().waitFor()
  return page
}

test('from a flag to an overturned appeal', async () => {
  const [author, fan, reporter] = [await service.member(), await service.member(), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: fan.ticket })
  const tip = await tipBy(service, author)
  const before = await sightings(tip, author, fan)
  expect(before).toMatchObject({ found: [true, true], single: 200 })
  const flag = `${COMMENTS}/${tip}/flag?reason=false-claim&note=${encodeURIComponent('The horse is lame')}`
  expect((await service.call('POST', flag, { ticket: reporter.ticket })).status).toBe(204)

  const ann = await moderator('Ann')
  const bob = await moderator('Bob')
  await ann.getByText('Also viewing: Bob').waitFor()
  await bob.getByText('Also viewing: Ann').waitFor()
  await ann.getByText('The horse is lame').first().waitFor()
  await ann.keyboard.press('t')
  await ann.getByLabel('Statement to the author').fill('The stable says otherwise.')
  await saveScreenshot(ann, 'story-flagged')
  await ann.keyboard.press('Escape')
  await ann.keyboard.press('x')
  await passTimeToUndo(ann)
  await ann.getByText('removed. Saved.').waitFor()

  // Bob saw the tip before Ann removed it.
  await bob.keyboard.press('o')
  await passTimeToUndo(bob)
  await bob.getByLabel('Unsaved decisions').getByText('Ann decided: remove').waitFor()
  await saveScreenshot(bob, 'story-refused')
  await bob.getByRole('button', { name: /^Discard/ }).click()
  expect(await sightings(tip, author, fan)).toMatchObject({ found: [false, false], single: 400 })
  expect(await reporterWeight(reporter)).toBe('0.67')

  const [decision] = await ownDecisions(service, author)
  expect(decision).toMatchObject({ action: 'remove', statement: 'The stable says otherwise.' })
  await appealed(service, author, Number(decision?.id))

  await openRoute(bob, 'queue?kind=appeal')
  const card = bob.getByRole('article')
  await card.getByRole('heading', { name: 'Appeal of the author' }).waitFor()
  expect(await card.textContent()).toMatch(/removed by Ann.*The stable says otherwise\./s)
  await card.getByLabel('Reply').fill('The horse runs. Sorry.')
  await saveScreenshot(bob, 'story-appeal')
  await card.getByRole('button', { name: 'Overturn it' }).click()
  await bob.getByText('Appeal overturned. Saved.').waitFor()

  expect(await sightings(tip, author, fan)).toEqual(before)
  expect((await ownDecisions(service, author)).find(({ id }) => id === decision?.id).appeal).toMatchObject({
    state: 'overturned',
    reply: 'The horse runs. Sorry.',
  })
  // The flag counts as rejected now, and the next one of this reporter weighs less.
  expect(await reporterWeight(reporter)).toBe('0.33')
  await flagTip(service, reporter, await tipBy(service, author))
  await ann.getByRole('button', { name: 'Refresh' }).click()
  await ann.getByRole('list', { name: 'In the queue' }).getByText('weight 0.33').waitFor()
})
