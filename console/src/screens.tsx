// All screens: their route, the calls that they require (any of them is enough), and their section of the menu (null: not
// in the menu, opened from other screens).

import type { ReactNode } from 'react'
import type { Decisions } from './decisions.ts'
import { FINDER_CALLS } from './parts/finder.tsx'
import type { Route } from './route.ts'
import { ApplicationsScreen } from './screens/applications.tsx'
import { AuditScreen } from './screens/audit.tsx'
import { CustomerScreen } from './screens/customer.tsx'
import { DepositScreen } from './screens/deposit.tsx'
import { DepositsScreen } from './screens/deposits.tsx'
import { FindScreen } from './screens/find.tsx'
import { LedgerScreen } from './screens/ledger.tsx'
import { OverviewScreen } from './screens/overview.tsx'
import { QueueScreen } from './screens/queue.tsx'
import { SubjectScreen } from './screens/subject.tsx'
import { TipsterScreen } from './screens/tipster.tsx'
import { TipstersScreen } from './screens/tipsters.tsx'
import { TokensScreen } from './screens/tokens.tsx'
import { WebhookScreen } from './screens/webhook.tsx'
import { WebhooksScreen } from './screens/webhooks.tsx'
import { WordsScreen } from './screens/words.tsx'

export type Screen = {
  name: string
  /** The address has an id after the name. */
  hasId?: true
  title: string
  section: 'Moderation' | 'Money' | 'Access' | null
  requiredCalls: readonly string[]
  render: (route: Route, decisions: Decisions) => ReactNode
}

const idOf = ({ path }: Route) => path[1] ?? ''

export const screens: Screen[] = [
  {
    name: 'queue',
    title: 'Review queue',
    section: 'Moderation',
    requiredCalls: ['GET /moderation/queue'],
    render: ({ query }, decisions) => {
      const kind = query.get('kind') === 'comment' ? 'comment' : 'profile'
      return <QueueScreen key={kind} kind={kind} decisions={decisions} />
    },
  },
  {
    name: 'overview',
    title: 'Overview',
    section: 'Moderation',
    requiredCalls: ['GET /statistics'],
    render: () => <OverviewScreen />,
  },
  { name: 'find', title: 'Find', section: 'Moderation', requiredCalls: FINDER_CALLS, render: () => <FindScreen /> },
  {
    name: 'words',
    title: 'Words',
    section: 'Moderation',
    requiredCalls: ['GET /moderation/words'],
    render: () => <WordsScreen />,
  },
  {
    name: 'tipsters',
    title: 'Tipsters',
    section: 'Moderation',
    requiredCalls: ['GET /records/ranking'],
    render: ({ query, text }) => <TipstersScreen key={text} query={query} />,
  },
  {
    name: 'tipsters',
    hasId: true,
    title: 'Record',
    section: null,
    requiredCalls: ['GET /profiles/{id}/record'],
    render: (route) => <TipsterScreen key={route.text} id={idOf(route)} query={route.query} />,
  },
  {
    name: 'profiles',
    hasId: true,
    title: 'Profile',
    section: null,
    requiredCalls: ['GET /moderation/profiles/{id}'],
    render: (route, decisions) => (
      <SubjectScreen key={route.text} kind="profile" id={idOf(route)} decisions={decisions} />
    ),
  },
  {
    name: 'comments',
    hasId: true,
    title: 'Comment',
    section: null,
    requiredCalls: ['GET /moderation/comments/{id}'],
    render: (route, decisions) => (
      <SubjectScreen key={route.text} kind="comment" id={idOf(route)} decisions={decisions} />
    ),
  },
  {
    name: 'customers',
    hasId: true,
    title: 'Customer',
    section: null,
    requiredCalls: ['GET /customers/{id}'],
    render: (route) => <CustomerScreen key={route.text} id={idOf(route)} />,
  },
  {
    name: 'deposits',
    title: 'Deposits',
    section: 'Money',
    requiredCalls: ['GET /deposits'],
    render: ({ query, text }) => <DepositsScreen key={text} query={query} />,
  },
  {
    name: 'deposits',
    hasId: true,
    title: 'Deposit',
    section: null,
    requiredCalls: ['GET /deposits/{paymentId}'],
    render: (route) => <DepositScreen key={route.text} id={idOf(route)} />,
  },
  {
    name: 'ledger',
    title: 'Ledger',
    section: 'Money',
    requiredCalls: ['GET /ledger/check'],
    render: () => <LedgerScreen />,
  },
  {
    name: 'applications',
    title: 'Applications',
    section: 'Access',
    requiredCalls: ['GET /applications'],
    render: () => <ApplicationsScreen />,
  },
  {
    name: 'tokens',
    title: 'Tokens',
    section: 'Access',
    requiredCalls: ['GET /tokens'],
    render: () => <TokensScreen />,
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    section: 'Access',
    requiredCalls: ['GET /webhooks'],
    render: () => <WebhooksScreen />,
  },
  {
    name: 'webhooks',
    hasId: true,
    title: 'Webhook',
    section: null,
    requiredCalls: ['GET /webhooks/{id}'],
    render: (route) => <WebhookScreen key={route.text} id={idOf(route)} />,
  },
  {
    name: 'audit',
    title: 'Audit trail',
    section: 'Access',
    requiredCalls: ['GET /audit'],
    render: () => <AuditScreen />,
  },
]

export function screenOf({ path }: Route): Screen | undefined {
  return screens.find(({ name, hasId }) => name === path[0] && (hasId ?? false) === path.length > 1)
}

export function firstScreen(may: (call: string) => boolean): string {
  return screens.find(({ section, requiredCalls }) => section !== null && requiredCalls.some(may))?.name ?? 'find'
}
