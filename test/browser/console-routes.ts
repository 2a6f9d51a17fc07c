/** What there is in a service to look at. */
export type Subjects = {
  readonly tip: number
  readonly paymentId: string
  readonly payerId: number
  readonly webhookId: string
  readonly apiKey: string
  readonly member: { readonly id: number; readonly profileId: number }
}

/** `list`: of ten thousand rows it shows a page, and more on request (`grows`), or only the first ones (`latest`). */
export type ConsoleScreen = { readonly route: string; readonly list?: 'grows' | 'latest' }

/**
 * Every screen of the console: a new one is a line here. test/browser/accessibility.test.ts looks at each in all appearances,
 * and fails if one is missing; test/browser/large-lists.test.ts fills those with a `list`.
 */
export function consoleScreens({ tip, paymentId, payerId, webhookId, apiKey, member }: Subjects): ConsoleScreen[] {
  return [
    { route: 'queue' },
    { route: 'queue?kind=comment', list: 'grows' },
    { route: 'queue?kind=comment&lane=trusted' },
    { route: 'queue?kind=appeal', list: 'grows' },
    { route: 'reporters', list: 'grows' },
    { route: `comments/${tip}` },
    { route: 'transparency' },
    { route: 'moderators' },
    { route: 'moderation-settings' },
    { route: 'queue?kind=comment&lane=assigned' },
    { route: 'queue?kind=comment&lane=held' },
    { route: 'words' },
    { route: 'clauses' },
    { route: 'deposits', list: 'grows' },
    { route: `deposits/${paymentId}` },
    { route: 'deposit-review', list: 'grows' },
    { route: 'disputes' },
    { route: 'withdrawals' },
    { route: 'ledger' },
    { route: 'overview' },
    { route: 'tips', list: 'grows' },
    { route: 'tipsters' },
    { route: `tipsters/${member.profileId}` },
    { route: 'search' },
    { route: 'search?q=filled', list: 'latest' },
    { route: `profiles/${member.profileId}` },
    { route: 'customers', list: 'grows' },
    { route: `customers/${member.id}` },
    { route: `customers/${payerId}?tab=money`, list: 'latest' },
    { route: `customers/${member.id}?tab=activity`, list: 'grows' },
    { route: `customers/${member.id}?tab=timeline`, list: 'grows' },
    { route: 'applications' },
    { route: `applications/${apiKey}` },
    { route: `try/${apiKey}?operation=makeTransaction` },
    { route: 'tokens' },
    { route: 'events' },
    { route: 'webhooks' },
    { route: `webhooks/${webhookId}`, list: 'grows' },
    { route: `webhooks/${webhookId}?delivery=1` },
    { route: 'audit', list: 'grows' },
    { route: 'health' },
  ]
}
