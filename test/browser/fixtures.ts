import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { Json, TestCustomer, TestService } from '../harness/service.ts'

export type Member = TestCustomer & { profileId: number; name: string }

/** Profiles with names, the first with the most flags. */
export async function flaggedProfiles(service: TestService, count: number, prefix: string): Promise<Member[]> {
  const flaggers = await Promise.all(Array.from({ length: 3 }, () => service.member()))
  const flagged: Member[] = []
  for (let index = 0; index < count; index++) {
    const name = `${prefix} ${String.fromCharCode(65 + Math.floor(index / 26))}${String.fromCharCode(65 + (index % 26))}`
    const member = { ...(await service.member()), name }
    const query = new URLSearchParams({ name, biography: `Nothing to see, says ${prefix}.` })
    await service.call('PUT', `/v1/profiles/me?${query}`, { ticket: member.ticket })
    for (const flagger of index === 0 ? flaggers : flaggers.slice(0, 1)) {
      await service.call('PUT', `/v1/profiles/${member.profileId}/flag`, { ticket: flagger.ticket })
    }
    flagged.push(member)
  }
  return flagged
}

/** Empties the queue: a moderator keeps everything in it. */
export async function emptyQueue(service: TestService, kind: 'profile' | 'comment'): Promise<void> {
  for (;;) {
    const { items } = (await service.operator('GET', `/operator/v1/moderation/queue?kind=${kind}&limit=100`)).body
    if (items.length === 0) return
    for (const { id } of items)
      await service.operator('POST', `/operator/v1/moderation/${kind}s/${id}`, { action: 'keep' })
  }
}

/** A queue with only these profiles, the first with the most flags. */
export async function queueOfProfiles(service: TestService, count: number, prefix: string): Promise<Member[]> {
  await emptyQueue(service, 'profile')
  return flaggedProfiles(service, count, prefix)
}

export async function profileNow(service: TestService, id: number): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/moderation/profiles/${id}`)).body
}

export async function actionsOn(service: TestService, id: number): Promise<string[]> {
  return (await profileNow(service, id)).decisions.map((decision: Json) => decision.action)
}

export async function tokenOf(service: TestService, role: string, name: string): Promise<string> {
  return (await service.operator('POST', '/operator/v1/tokens', { name, role, owner: name })).body.token
}

/** The innermost part of the page under this heading. */
export function sectionOf(page: Page, heading: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
}

/** The text of the file that a button downloads. */
export async function downloaded(page: Page, button: string): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = join(mkdtempSync(join(tmpdir(), 'paddock-download-')), 'file')
  await (await downloading).saveAs(file)
  return readFileSync(file, 'utf8')
}

/** Above a list. They stay closed when the list is opened with others. */
export async function openFilters(page: Page): Promise<void> {
  await page.locator('details:not([open]) > summary', { hasText: /^Filters$/ }).click()
}
