import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { openRoute, PHONE, passTimeToUndo, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, postTip, type TestOutcome } from '../harness/sportsbook.ts'
import { sectionOf, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

/** Longer than the time to undo. */
const PATIENCE = { timeout: 60_000, interval: 100 }

type Tip = { id: number; text: string; author: TestCustomer & { profileId: number }; outcome: TestOutcome }

async function tip(text: string): Promise<Tip> {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const author = await service.member()
  return { id: await newTip(service, author, outcome.id, { text }), text, author, outcome }
}

/** A queue with only these in it, the first with the most flags. */
async function queueOf(...texts: string[]): Promise<Tip[]> {
  const { items } = (await service.operator('GET', '/operator/v1/moderation/queue?kind=comment&limit=100')).body
  for (const { id } of items)
    await service.operator('POST', `/operator/v1/moderation/comments/${id}`, { action: 'keep' })
  const flaggers = await Promise.all(Array.from({ length: 3 }, () => service.member()))
  const tips: Tip[] = []
  for (const [index, text] of texts.entries()) {
    const created = await tip(text)
    for (const { ticket } of index === 0 ? flaggers : flaggers.slice(0, 1)) {
      await service.call('POST', `/v1/communities/comments/${created.id}/flag`, { ticket })
    }
    tips.push(created)
  }
  return tips
}

async function decisionsOn({ id }: Tip): Promise<Json[]> {
  return (await service.operator('GET', `/operator/v1/moderation/comments/${id}`)).body.decisions
}

const actionsOn = async (one: Tip) => (await decisionsOn(one)).map(({ action }) => action)

/** What customers are answered for the comment. */
async function seen({ id }: Tip): Promise<string> {
  const reply = await service.call('GET', `/v1/communities/comments/${id}`, { accept: 'application/json' })
  return reply.status === 200 ? 'shown' : reply.json().whoFaults.fault.faultCode
}

const row = (page: Page, text: string) =>
  page.getByRole('list', { name: 'In the queue' }).getByRole('listitem').filter({ hasText: text })
const isSelected = (page: Page, { text }: Tip) => page.locator('article blockquote').getByText(text).waitFor()

async function openQueue(name: string): Promise<Page> {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', name))
  await page.getByRole('navigation', { name: 'What to review' }).getByRole('link', { name: 'Tips' }).click()
  return page
}

test('a flagged tip is removed with the mouse and another kept with a key, after the time to undo', async () => {
  const [rude, fine] = (await queueOf('Only fools back this', 'Each way, surely')) as [Tip, Tip]
  const page = await openQueue('Comment Mo')
  await isSelected(page, rude)
  expect(await page.locator('article h2').textContent()).toBe(`Tip on Outcome ${rude.outcome.id}`)
  const shown = await page.locator('article').textContent()
  expect(shown).toMatch(/Open flags\s*3/)
  expect(shown).toContain(`Event ${rude.outcome.eventId}`)
  expect(await page.locator(`article dl a[href="#/profiles/${rude.author.profileId}"]`).count()).toBe(1)
  expect(await row(page, fine.text).textContent()).toContain('1 flag')
  await saveScreenshot(page, 'comments')

  await page.getByLabel(/^Note/).fill('insulting')
  await page.getByRole('button', { name: 'Remove' }).click()
  await isSelected(page, fine)
  await page.keyboard.press('o')
  expect(await row(page, rude.text).textContent()).toContain('removed, pending')
  expect([await actionsOn(rude), await actionsOn(fine), await seen(rude)]).toEqual([[], [], 'shown'])
  await passTimeToUndo(page)
  // First: the notice disappears after some seconds.
  await page.getByText(`${fine.text}: kept. Saved.`).waitFor()
  await vi.waitFor(async () => expect(await actionsOn(rude)).toEqual(['remove']), PATIENCE)
  await vi.waitFor(async () => expect(await actionsOn(fine)).toEqual(['keep']), PATIENCE)
  expect(await decisionsOn(rude)).toMatchObject([{ note: 'insulting', actor: 'Comment Mo' }])
  expect([await seen(rude), await seen(fine)]).toEqual(['30500', 'shown'])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('The queue is empty.').waitFor()
})

test('an undone decision leaves the tip as it was', async () => {
  const [first, second] = (await queueOf('Hasty one', 'Later one')) as [Tip, Tip]
  const page = await openQueue('Comment Una')
  await isSelected(page, first)
  await page.keyboard.press('x')
  await isSelected(page, second)
  await page
    .getByRole('button', { name: `Undo: Remove ${first.text}` })
    .first()
    .click()
  await isSelected(page, first)
  // Another one, decided afterwards, is sent: by then the undone one would have been too.
  await page.keyboard.press('j')
  await isSelected(page, second)
  await page.keyboard.press('x')
  await passTimeToUndo(page)
  await vi.waitFor(async () => expect(await seen(second)).toBe('30500'), PATIENCE)
  expect([await actionsOn(first), await seen(first)]).toEqual([[], 'shown'])
})

test('a tip is featured and unfeatured on its own page, which shows its history', async () => {
  const created = await tip('A tip to show around')
  const isFeatured = async () => {
    const reply = await service.call('GET', `/v1/communities/comments/${created.id}`)
    return /<isFeatured>(.)</.exec(reply.text)?.[1]
  }
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Featurer'))
  await openRoute(page, `comments/${created.id}`)
  await page.locator('blockquote').getByText(created.text).waitFor()
  expect(await sectionOf(page, 'Earlier decisions').textContent()).toContain('None yet.')
  expect(await page.getByRole('button', { name: 'Unfeature' }).count()).toBe(0)
  await page.getByLabel(/^Note/).fill('well argued')
  await page.getByRole('button', { name: /^Feature/ }).click()
  await passTimeToUndo(page)
  await page.getByRole('button', { name: 'Unfeature' }).waitFor()
  expect(await isFeatured()).toBe('Y')
  expect(await sectionOf(page, 'Earlier decisions').textContent()).toMatch(/featured by Featurer.*well argued/)
  await saveScreenshot(page, 'comment')
  await page.keyboard.press('g')
  await passTimeToUndo(page)
  await page.getByRole('button', { name: /^Feature/ }).waitFor()
  expect(await isFeatured()).toBe('N')
  await vi.waitFor(
    async () => expect(await sectionOf(page, 'Earlier decisions').getByRole('listitem').count()).toBe(2),
    PATIENCE,
  )
  expect(await actionsOn(created)).toEqual(['feature', 'unfeature'])
})

test('line feeds in a tip and in a biography are shown as line breaks', async () => {
  const lines = 'Form is good\nGround suits\n\nEach way'
  const [created] = (await queueOf(lines)) as [Tip]
  const { ticket, profileId } = created.author
  await service.call('PUT', `/v1/profiles/me?${new URLSearchParams({ biography: lines })}`, { ticket })
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Liner'))
  for (const route of ['queue?kind=comment', `comments/${created.id}`, `profiles/${profileId}`]) {
    await openRoute(page, route)
    const quote = page.locator('article blockquote')
    await quote.waitFor()
    expect([route, await quote.innerText()]).toEqual([route, lines])
  }
  await saveScreenshot(page, 'line-breaks')
})

test('a word that is blocked on the words page is then refused in a tip', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const author = await service.member()
  const say = async () => (await postTip(service, author, outcome.id, { text: 'Snorklepuff all day' })).text
  expect(await say()).toContain('"comment"')
  await service.operator('PUT', '/operator/v1/moderation/words', { blocked: ['quibblesnatch'], allowed: ['Fanny'] })
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Wordsmith'))
  await page.getByRole('link', { name: 'Words' }).click()
  const blocked = page.getByLabel('Blocked')
  await vi.waitFor(async () => expect(await blocked.inputValue()).toBe('quibblesnatch'), PATIENCE)
  await blocked.fill('quibblesnatch\n\n snorklepuff \nsnorklepuff')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Words saved.').waitFor()
  expect(await blocked.inputValue()).toBe('quibblesnatch\nsnorklepuff')
  await saveScreenshot(page, 'words')
  await vi.waitFor(async () => expect(await say()).toContain('30432'), { timeout: 60_000, interval: 200 })
  const lists = (await service.operator('GET', '/operator/v1/moderation/words')).body
  expect(lists).toMatchObject({ blocked: ['quibblesnatch', 'snorklepuff'], allowed: ['Fanny'] })

  await page.reload()
  await vi.waitFor(async () => expect(await blocked.inputValue()).toBe('quibblesnatch\nsnorklepuff'), PATIENCE)
  await blocked.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await vi.waitFor(async () => expect(await say()).toContain('"comment"'), { timeout: 60_000, interval: 200 })
})

test('unsaved words stay and can be discarded, and contradictions are reported', async () => {
  await service.operator('PUT', '/operator/v1/moderation/words', { blocked: ['wibblefish'], allowed: [] })
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Absent-minded'))
  await openRoute(page, 'words')
  const [blocked, allowed] = [page.getByLabel('Blocked'), page.getByLabel('Allowed')]
  await vi.waitFor(async () => expect(await blocked.inputValue()).toBe('wibblefish'), PATIENCE)
  expect(await page.getByText('Unsaved changes.').count()).toBe(0)
  await blocked.fill('wibblefish\nsnarfle')
  await openRoute(page, 'search')
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
  await page.goBack()
  await vi.waitFor(async () => expect(await blocked.inputValue()).toBe('wibblefish\nsnarfle'), PATIENCE)
  await page.getByText('Unsaved changes.').waitFor()

  await allowed.fill('Snarfle')
  await page.getByText('Both blocked and allowed: Snarfle.').waitFor()
  await saveScreenshot(page, 'words-contradiction')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('must not contain blocked words: Snarfle').waitFor()
  await allowed.fill('')
  await service.operator('PUT', '/operator/v1/moderation/words', { blocked: ['wibblefish', 'of-another'] })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Another person has saved the words').waitFor()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => blocked.inputValue(), PATIENCE).toBe('of-another\nwibblefish')
  expect([await blocked.inputValue(), await allowed.inputValue()]).toEqual(['of-another\nwibblefish', ''])
  expect(await page.getByText('Both blocked and allowed').count()).toBe(0)
})

test('the queue of comments, a comment and the words fit a phone', async () => {
  const long = `${'Unbreakable'.repeat(9)} and more`
  const [created] = (await queueOf(long)) as [Tip]
  const page = await consoles.signedIn(undefined, PHONE)
  for (const route of ['queue?kind=comment', `comments/${created.id}`, 'words']) {
    await openRoute(page, route)
    await page.getByText(route === 'words' ? 'One word or phrase' : 'Open flags').waitFor()
    expect([route, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([route, true])
    await saveScreenshot(page, `${route.replace(/\W\d*/g, '-')}-phone`)
  }
})
