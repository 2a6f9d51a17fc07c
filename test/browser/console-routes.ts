/** What there is in a service to look at. */
export type Subjects = {
  readonly tip: number
  readonly paymentId: string
  readonly payerId: number
  readonly webhookId: string
  readonly apiKey: string
  readonly member: { readonly id: number; readonly profileId: number }
}

/** Every screen of the console. test/browser/accessibility.test.ts fails if one is missing. */
export function consoleRoutes({ tip, paymentId, payerId, webhookId, apiKey, member }: Subjects): string[] {
  return [
    'queue',
    'queue?kind=comment',
    'queue?kind=comment&lane=trusted',
    'reporters',
    `comments/${tip}`,
    'queue?kind=appeal',
    'transparency',
    'words',
    'clauses',
    'deposits',
    `deposits/${paymentId}`,
    'deposit-review',
    'disputes',
    'withdrawals',
    'ledger',
    'overview',
    'tips',
    'tipsters',
    `tipsters/${member.profileId}`,
    'search',
    'search?q=access',
    `profiles/${member.profileId}`,
    `customers/${member.id}`,
    `customers/${payerId}?tab=money`,
    `customers/${member.id}?tab=activity`,
    `customers/${member.id}?tab=timeline`,
    'applications',
    `applications/${apiKey}`,
    'tokens',
    'webhooks',
    `webhooks/${webhookId}`,
    'audit',
    'health',
  ]
}
