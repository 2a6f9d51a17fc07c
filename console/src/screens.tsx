// All screens: their route, the calls that they require (any of them is enough), and their section of the menu (null: not
// in the menu, opened from other screens).

import type { Route } from '../../web/route.ts'
import type { OperationName } from './api/operations.ts'
import { CustomerScreen } from './customers/customer-screen.tsx'
import { CustomersScreen } from './customers/customers-screen.tsx'
import { ApplicationsScreen } from './developers/applications-screen.tsx'
import { EventsScreen } from './developers/events-screen.tsx'
import { ApplicationRequestsScreen } from './developers/requests-screen.tsx'
import { WebhookScreen } from './developers/webhook-screen.tsx'
import { WebhooksScreen } from './developers/webhooks-screen.tsx'
import { AppealsScreen } from './moderation/appeals-screen.tsx'
import { ClausesScreen } from './moderation/clauses-screen.tsx'
import { ModerationSettingsScreen } from './moderation/moderation-settings-screen.tsx'
import { ModeratorsScreen } from './moderation/moderators-screen.tsx'
import { QueueScreen } from './moderation/queue-screen.tsx'
import { queueFilterOf } from './moderation/queue-tabs.tsx'
import { markedOf, ReportersScreen } from './moderation/reporters-screen.tsx'
import { SubjectScreen } from './moderation/subject-screen.tsx'
import { TipsScreen } from './moderation/tips-screen.tsx'
import { TransparencyScreen } from './moderation/transparency-screen.tsx'
import { WordsScreen } from './moderation/words-screen.tsx'
import { AuditScreen } from './operators/audit-screen.tsx'
import { TokensScreen } from './operators/tokens-screen.tsx'
import { HealthScreen } from './overview/health-screen.tsx'
import { OverviewScreen } from './overview/overview-screen.tsx'
import { TipsterScreen } from './records/tipster-screen.tsx'
import { TipstersScreen } from './records/tipsters-screen.tsx'
import { idOf, type Screen } from './screen.ts'
import { FINDER_CALLS } from './search/finder.tsx'
import { SearchScreen } from './search/search-screen.tsx'
import { moneyScreens } from './wallets/screens.tsx'

export const screens: Screen[] = [
  {
    name: 'queue',
    title: 'Review queue',
    section: 'Moderation',
    requiredCalls: ['readModerationQueue'],
    render: ({ query }, decisions) => {
      if (query.get('kind') === 'appeal') return <AppealsScreen from={query.get('from') ?? ''} />
      const filter = queueFilterOf(query)
      return <QueueScreen key={JSON.stringify(filter)} filter={filter} decisions={decisions} />
    },
  },
  {
    name: 'overview',
    title: 'Overview',
    section: 'Service',
    requiredCalls: ['readStatistics', 'readMoneyStatistics'],
    render: () => <OverviewScreen />,
  },
  {
    name: 'search',
    title: 'Search',
    section: 'Service',
    requiredCalls: FINDER_CALLS,
    render: ({ query, text }) => <SearchScreen key={text} q={query.get('q')?.trim() ?? ''} />,
  },
  {
    name: 'transparency',
    title: 'Transparency',
    section: 'Moderation',
    requiredCalls: ['readTransparency'],
    render: ({ query, text }) => <TransparencyScreen key={text} query={query} />,
  },
  {
    name: 'moderators',
    title: 'Moderators',
    section: 'Moderation',
    requiredCalls: ['readModeratorStatistics'],
    render: ({ query, text }) => <ModeratorsScreen key={text} query={query} />,
  },
  {
    name: 'words',
    title: 'Words',
    section: 'Moderation',
    requiredCalls: ['readWords'],
    render: () => <WordsScreen />,
  },
  {
    name: 'clauses',
    title: 'Clauses',
    section: 'Moderation',
    requiredCalls: ['readModerationTexts'],
    render: () => <ClausesScreen />,
  },
  {
    name: 'moderation-settings',
    title: 'Moderation settings',
    section: 'Moderation',
    requiredCalls: ['readModerationSettings'],
    render: () => <ModerationSettingsScreen />,
  },
  {
    name: 'reporters',
    title: 'Reporters',
    section: 'Moderation',
    requiredCalls: ['listReporters'],
    render: ({ query, text }) => <ReportersScreen key={text} marked={markedOf(query.get('marked'))} />,
  },
  {
    name: 'tips',
    title: 'Tips',
    section: 'Moderation',
    requiredCalls: ['listTips'],
    render: ({ query, text }) => <TipsScreen key={text} query={query} />,
  },
  {
    name: 'tipsters',
    title: 'Tipsters',
    section: 'Moderation',
    requiredCalls: ['readRecordRanking'],
    render: ({ query, text }) => <TipstersScreen key={text} query={query} />,
  },
  {
    name: 'tipsters',
    hasId: true,
    title: 'Record',
    section: null,
    requiredCalls: ['readRecord'],
    render: (route) => <TipsterScreen key={route.text} id={idOf(route)} query={route.query} />,
  },
  {
    name: 'profiles',
    hasId: true,
    title: 'Profile',
    section: null,
    requiredCalls: ['getModeratedProfile'],
    render: (route, decisions) => (
      <SubjectScreen key={route.text} kind="profile" id={idOf(route)} decisions={decisions} />
    ),
  },
  {
    name: 'comments',
    hasId: true,
    title: 'Tip',
    section: null,
    requiredCalls: ['getModeratedComment'],
    render: (route, decisions) => (
      <SubjectScreen key={route.text} kind="comment" id={idOf(route)} decisions={decisions} />
    ),
  },
  {
    name: 'customers',
    title: 'Customers',
    section: 'Customers',
    requiredCalls: ['listCustomers'],
    render: ({ query, text }) => <CustomersScreen key={text} query={query} />,
  },
  {
    name: 'customers',
    hasId: true,
    title: 'Customer',
    section: null,
    requiredCalls: ['getCustomer'],
    render: (route) => <CustomerScreen key={idOf(route)} id={idOf(route)} query={route.query} />,
  },
  ...moneyScreens,
  {
    name: 'applications',
    title: 'Applications',
    section: 'Access',
    requiredCalls: ['listApplications'],
    render: ({ query, text }) => <ApplicationsScreen key={text} secretOf={query.get('secret')} />,
  },
  {
    name: 'applications',
    hasId: true,
    title: 'Requests',
    section: null,
    requiredCalls: ['listApplicationRequests'],
    render: (route) => (
      <ApplicationRequestsScreen key={route.text} apiKey={idOf(route)} request={route.query.get('request')} />
    ),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    section: 'Access',
    requiredCalls: ['listTokens'],
    render: () => <TokensScreen />,
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    section: 'Access',
    requiredCalls: ['listWebhooks'],
    render: () => <WebhooksScreen />,
  },
  {
    name: 'webhooks',
    hasId: true,
    title: 'Webhook',
    section: null,
    requiredCalls: ['getWebhook'],
    render: (route) => <WebhookScreen key={route.text} id={idOf(route)} query={route.query} />,
  },
  {
    name: 'events',
    title: 'Events',
    section: 'Access',
    requiredCalls: ['listEvents'],
    render: ({ query, text }) => <EventsScreen key={text} query={query} />,
  },
  {
    name: 'audit',
    title: 'Audit trail',
    section: 'Access',
    requiredCalls: ['listAudit'],
    render: ({ query, text }) => <AuditScreen key={text} query={query} />,
  },
  {
    name: 'health',
    title: 'Health',
    section: 'Service',
    requiredCalls: ['readHealth'],
    render: () => <HealthScreen />,
  },
]

export function screenOf({ path }: Route): Screen | undefined {
  return screens.find(({ name, hasId }) => name === path[0] && (hasId ?? false) === path.length > 1)
}

/** Where the work waits: of moderators, of cashiers, of those who keep the accounts. */
const WORK = ['queue', 'withdrawals', 'customers']

export function firstScreen(may: (name: OperationName) => boolean): string {
  const offered = screens.filter(({ section, requiredCalls }) => section !== null && requiredCalls.some(may))
  return WORK.find((work) => offered.some(({ name }) => name === work)) ?? offered[0]?.name ?? 'search'
}
