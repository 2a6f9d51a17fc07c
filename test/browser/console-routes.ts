import { KEY, type TestService } from '../harness/service.ts'
import { waitingWithdrawal } from '../harness/withdrawals.ts'
import { endedDelivery } from '../operator/cases.ts'

/** What there is in a service to look at. */
export type Subjects = {
  readonly tip: number
  readonly paymentId: string
  readonly payerId: number
  readonly webhookId: string
  readonly withdrawalId: string
  readonly apiKey: string
  readonly member: { readonly id: number; readonly profileId: number }
}

/** In a seeded sandbox: of its customers, with a withdrawal and a webhook of our own. */
export async function seededSubjects(service: TestService): Promise<Subjects> {
  const withdrawal = await waitingWithdrawal(service)
  const { items } = (await service.operator('GET', '/operator/v1/deposits?customerId=1')).body
  return {
    tip: 23,
    paymentId: items[0].paymentId,
    payerId: 1,
    webhookId: (await endedDelivery(service)).id,
    withdrawalId: withdrawal.id,
    apiKey: KEY,
    member: { id: 101, profileId: 21 },
  }
}

/**
 * `list`: of ten thousand rows it shows a page, and the others by its pages, by stepping to its end (`steps`), or only the first
 * ones (`latest`). `isDated`: it can be opened at a date.
 */
export type ConsoleScreen = {
  readonly route: string
  readonly list?: 'pages' | 'steps' | 'latest'
  readonly isDated?: true
}

/**
 * Every screen of the console: a new one is a line here. test/browser/accessibility.test.ts looks at each in all appearances,
 * and fails if one is missing; test/browser/large-lists.test.ts fills those with a `list`.
 */
export function consoleScreens(subjects: Subjects): ConsoleScreen[] {
  const { tip, paymentId, payerId, webhookId, withdrawalId, apiKey, member } = subjects
  return [
    { route: 'queue' },
    { route: 'queue?kind=comment', list: 'steps' },
    { route: 'queue?kind=comment&lane=trusted' },
    { route: 'queue?kind=appeal', list: 'pages', isDated: true },
    { route: 'reporters', list: 'pages' },
    { route: `comments/${tip}` },
    { route: 'transparency' },
    { route: 'moderators' },
    { route: 'moderation-settings' },
    { route: 'queue?kind=comment&lane=assigned' },
    { route: 'queue?kind=comment&lane=held' },
    { route: 'words' },
    { route: 'clauses' },
    { route: 'deposits', list: 'pages', isDated: true },
    { route: `deposits/${paymentId}` },
    { route: 'deposit-review', list: 'steps' },
    { route: 'refunds', list: 'pages' },
    { route: 'refunds?show=all', list: 'pages' },
    { route: 'disputes' },
    { route: 'disputes?show=all', list: 'pages' },
    { route: 'withdrawals', list: 'pages', isDated: true },
    { route: 'withdrawals?show=all', list: 'pages', isDated: true },
    { route: `withdrawals/${withdrawalId}` },
    { route: 'money-proposals', list: 'pages' },
    { route: 'unapplied', list: 'pages' },
    { route: 'balances-to-pay', list: 'pages' },
    { route: 'ledger' },
    { route: 'overview' },
    { route: 'tips', list: 'pages' },
    { route: 'tipsters', list: 'pages' },
    { route: `tipsters/${member.profileId}` },
    { route: 'search' },
    { route: 'search?q=filled', list: 'latest' },
    { route: `profiles/${member.profileId}` },
    { route: 'customers', list: 'pages', isDated: true },
    { route: `customers/${member.id}` },
    { route: `customers/${payerId}?tab=money`, list: 'latest' },
    { route: `customers/${payerId}?tab=statement` },
    { route: `customers/${member.id}?tab=activity`, list: 'pages', isDated: true },
    { route: `customers/${member.id}?tab=activity&list=tips`, list: 'pages', isDated: true },
    { route: `customers/${member.id}?tab=activity&list=received`, list: 'pages', isDated: true },
    { route: `customers/${member.id}?tab=timeline`, list: 'pages', isDated: true },
    { route: 'applications' },
    { route: `applications/${apiKey}` },
    { route: 'tokens' },
    { route: 'events', list: 'pages', isDated: true },
    { route: 'webhooks' },
    { route: `webhooks/${webhookId}`, list: 'pages', isDated: true },
    { route: `webhooks/${webhookId}?delivery=1` },
    { route: 'audit', list: 'pages', isDated: true },
    { route: 'health' },
  ]
}
