// The icons of the menu, by the name of the screen.

import type { IconName } from '../../web/icons.tsx'

const ICONS: Readonly<Record<string, IconName>> = {
  queue: 'queue',
  overview: 'chart',
  search: 'discover',
  transparency: 'report',
  words: 'words',
  clauses: 'book',
  reporters: 'flag',
  tips: 'tip',
  tipsters: 'trophy',
  moderators: 'check',
  'moderation-settings': 'sliders',
  customers: 'person',
  deposits: 'card',
  'deposit-review': 'inbox',
  refunds: 'back',
  disputes: 'warning',
  withdrawals: 'out',
  'money-proposals': 'write',
  unapplied: 'bell',
  'balances-to-pay': 'clock',
  ledger: 'scales',
  applications: 'code',
  tokens: 'key',
  webhooks: 'hook',
  events: 'bolt',
  audit: 'list',
  health: 'pulse',
}

export function iconOf(screen: string): IconName {
  return ICONS[screen] ?? 'more'
}
