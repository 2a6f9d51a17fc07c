// One working call of every row of the operator's API. The suites that walk all rows fail for a row without one.

import { insertConsoleSession } from '../../src/identity/operators/console-session-store.ts'
import type { OperatorOperation } from '../../src/operator/server/operation.ts'
import { writing } from '../../src/platform/database/database.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { appealed, decide, tipBy } from '../harness/appeals.ts'
import { newReference } from '../harness/movements.ts'
import { captured, debtor, disputed, sentRefund, unappliedNotification, waitingRefund } from '../harness/refunds.ts'
import type { Json, TestService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { deposit, newDepositor, sweepUntil } from '../harness/wallets.ts'
import {
  anotherOperator,
  paidOutside,
  player,
  reviewedWithdrawal,
  waitingWithdrawal,
  win,
} from '../harness/withdrawals.ts'

export type Case = {
  path: string
  body?: unknown
  status: number
  /** What must not be found in the audit trail afterwards, beside what the answer shows once. */
  secrets?: string[]
}

let counter = 0

/** `caller`: the token that makes the call, where it must be whose the subject is. */
export const cases: Record<string, (service: TestService, caller?: string) => Promise<Case>> = {
  createApplication: async () => ({ path: '/applications', body: { name: 'An app' }, status: 201 }),
  listApplications: async () => ({ path: '/applications', status: 200 }),
  revokeApplication: async (service) => ({ path: `/applications/${await newApplication(service)}`, status: 204 }),
  replaceApplicationSecret: async (service) => ({
    path: `/applications/${await newApplication(service)}/secret`,
    body: { graceSeconds: 5 },
    status: 201,
  }),
  putReturnAddresses: async (service) => ({
    path: `/applications/${await newApplication(service)}/return-addresses`,
    body: { returnAddresses: ['https://shop.example/cashier'] },
    status: 200,
  }),
  listApplicationRequests: async (service) => ({
    path: `/applications/${await newApplication(service)}/requests`,
    status: 200,
  }),
  putCustomer: async () => ({
    path: `/customers/${70_000 + ++counter}`,
    body: { username: `known-only-to-us-${counter}`, password: `open-sesame-${counter}` },
    status: 201,
    secrets: [`known-only-to-us-${counter}`, `open-sesame-${counter}`],
  }),
  listCustomers: async () => ({ path: '/customers?status=active&limit=5', status: 200 }),
  getCustomer: async (service) => ({ path: `/customers/${(await service.customer()).id}`, status: 200 }),
  reinstateCustomer: async (service) => ({
    path: `/customers/${(await service.customer({ status: 'closed' })).id}/reinstatement`,
    body: { reason: 'asked for it in writing' },
    status: 200,
  }),
  recordReturn: async (service) => {
    const { id } = await service.customer()
    await excludeCustomer({ ...service.context, now: () => 0 }, id, 'self-exclusion', () => 1)
    return { path: `/customers/${id}/return`, body: { reason: 'asked by phone' }, status: 200 }
  },
  setCustomerStatus: async (service) => ({
    path: `/customers/${(await service.customer()).id}/status`,
    body: { status: 'suspended', reason: 'two accounts with one card' },
    status: 200,
  }),
  readCustomerTimeline: async (service) => ({
    path: `/customers/${(await service.member()).id}/timeline?limit=5`,
    status: 200,
  }),
  listCustomerBets: async (service) => ({ path: `/customers/${(await service.customer()).id}/bets`, status: 200 }),
  listCustomerComments: async (service) => ({
    path: `/customers/${(await service.member()).id}/comments`,
    status: 200,
  }),
  listCustomerFlags: async (service) => ({
    path: `/customers/${(await service.member()).id}/flags?direction=given`,
    status: 200,
  }),
  endSession: async (service) => {
    const { id } = await service.customer()
    const { items } = (await service.operator('GET', `/operator/v1/customers/${id}/sessions`)).body
    return { path: `/customers/${id}/sessions/${items[0].id}`, status: 204 }
  },
  listPaymentMethods: async (service) => ({
    path: `/customers/${(await newDepositor(service)).id}/payment-methods`,
    status: 200,
  }),
  closePaymentMethod: async (service) => {
    const { id, method } = await newDepositor(service)
    const path = `/customers/${id}/payment-methods/${method}/closure`
    return { path, body: { reason: 'reported stolen' }, status: 200 }
  },
  reopenPaymentMethod: async (service) => {
    const { id, method } = await newDepositor(service)
    const path = `/customers/${id}/payment-methods/${method}/closure`
    await service.operator('POST', `/operator/v1${path}`, { reason: 'reported stolen' })
    return { path, status: 200 }
  },
  recordAccountClosure: async (service) => {
    const { id, method } = await newDepositor(service)
    const path = `/customers/${id}/payment-methods/${method}/account-closure`
    return { path, body: { note: 'letter of the bank' }, status: 200, secrets: ['letter of the bank'] }
  },
  listSessions: async (service) => ({ path: `/customers/${(await service.customer()).id}/sessions`, status: 200 }),
  endSessions: async (service) => ({ path: `/customers/${(await service.customer()).id}/sessions`, status: 200 }),
  issueTicket: async (service) => ({
    path: `/customers/${(await service.customer()).id}/tickets`,
    body: { ttlSeconds: 60 },
    status: 201,
  }),
  exportPersonalData: async (service) => ({
    path: `/customers/${(await service.customer()).id}/personal-data`,
    status: 200,
  }),
  erasePersonalData: async (service) => ({
    path: `/customers/${(await service.customer()).id}/personal-data`,
    status: 204,
  }),
  listViews: async () => ({ path: '/views', status: 200 }),
  saveView: async () => ({ path: '/views', body: { name: `View ${++counter}`, address: 'customers' }, status: 201 }),
  deleteView: async (service, caller) => ({ path: `/views/${await newView(service, caller)}`, status: 204 }),
  readNames: async (service) => {
    const { id } = await service.customer({ username: `named-${++counter}`, password: 'open-sesame' })
    return { path: `/names?customers=${id}`, status: 200 }
  },
  checkAudit: async () => ({ path: '/audit/check', status: 200 }),
  searchAll: async () => ({ path: '/search?q=bob', status: 200 }),
  readHealth: async () => ({ path: '/health', status: 200 }),
  runDoctor: async () => ({ path: '/health/doctor', status: 200 }),
  testWords: async () => ({ path: '/moderation/words/test', body: { text: 'A fine day', as: 'tip' }, status: 200 }),
  listTopOutcomes: async () => ({ path: '/outcomes/top', status: 200 }),
  listTips: async () => ({ path: '/comments', status: 200 }),
  createToken: async () => ({ path: '/tokens', body: { name: `t${++counter}`, role: 'feed' }, status: 201 }),
  listTokens: async () => ({ path: '/tokens', status: 200 }),
  revokeToken: async (service) => ({ path: `/tokens/${(await newToken(service, 'feed')).id}`, status: 204 }),
  listConsoleSessions: async () => ({ path: '/console-sessions', status: 200 }),
  endConsoleSession: async (service) => ({
    path: `/console-sessions/${await newConsoleSession(service)}`,
    status: 204,
  }),
  readModerationQueue: async () => ({ path: '/moderation/queue?kind=profile', status: 200 }),
  getModeratedProfile: async (service) => ({
    path: `/moderation/profiles/${(await service.member()).profileId}`,
    status: 200,
  }),
  moderateProfile: async (service) => ({
    path: `/moderation/profiles/${(await service.member()).profileId}`,
    body: { action: 'keep', note: 'fine' },
    status: 200,
  }),
  getProfileContext: async (service) => ({
    path: `/moderation/profiles/${(await service.member()).profileId}/context`,
    status: 200,
  }),
  getCommentContext: async (service) => ({
    path: `/moderation/comments/${await newTip(service, await service.member(), (await newOutcome(service)).id)}/context`,
    status: 200,
  }),
  listReporters: async () => ({ path: '/reporters', status: 200 }),
  getReporter: async (service) => ({ path: `/reporters/${(await service.member()).profileId}`, status: 200 }),
  markReporter: async (service) => ({
    path: `/reporters/${(await service.member()).profileId}`,
    body: { muted: true, note: 'known-only-to-moderators' },
    status: 200,
    secrets: ['known-only-to-moderators'],
  }),
  listSports: async () => ({ path: '/sports', status: 200 }),
  putSport: async () => ({
    path: `/sports/${90_000 + ++counter}`,
    body: { name: 'Darts', communities: true },
    status: 201,
  }),
  putEvent: async (service) => {
    const { eventId } = await newOutcome(service)
    return {
      path: `/events/${eventId}`,
      body: { sportId: 1, name: 'Final', startTime: '2030-01-01T15:00:00Z' },
      status: 200,
    }
  },
  changeEvent: async (service) => ({
    path: `/events/${(await newOutcome(service)).eventId}`,
    body: { startTime: '2030-01-02T15:00:00Z' },
    status: 204,
  }),
  changeMarket: async (service) => ({
    path: `/markets/${(await newOutcome(service)).marketId}`,
    body: { status: 'suspended' },
    status: 204,
  }),
  changeOutcome: async (service) => ({
    path: `/outcomes/${(await newOutcome(service)).id}`,
    body: { price: { num: 5, den: 2 } },
    status: 204,
  }),
  settleMarket: async (service) => {
    const { id, marketId } = await newOutcome(service)
    return {
      path: `/markets/${marketId}/settlement`,
      body: { results: { [id]: { result: 'win', rule4: '0.10' } } },
      status: 200,
    }
  },
  putBet: async (service) => ({
    path: `/bets/${80_000 + ++counter}`,
    body: {
      customerId: (await service.customer()).id,
      legs: [{ outcomeId: (await newOutcome(service)).id, price: { num: 5, den: 2 } }],
    },
    status: 201,
  }),
  getModeratedComment: async (service) => ({
    path: `/moderation/comments/${await newTip(service, await service.member(), (await newOutcome(service)).id)}`,
    status: 200,
  }),
  moderateComment: async (service) => ({
    path: `/moderation/comments/${await newTip(service, await service.member(), (await newOutcome(service)).id)}`,
    body: { action: 'keep', note: 'fine' },
    status: 200,
  }),
  getAppeal: async (service) => ({ path: `/moderation/appeals/${await newAppeal(service)}`, status: 200 }),
  decideAppeal: async (service) => ({
    path: `/moderation/appeals/${await newAppeal(service)}`,
    body: { outcome: 'overturned', reply: 'You are known to us as Larry', note: 'met Larry' },
    status: 200,
    secrets: ['known to us as Larry', 'met Larry'],
  }),
  readModerationTexts: async () => ({ path: '/moderation/clauses', status: 200 }),
  replaceModerationTexts: async (service) => {
    const { body } = await service.operator('GET', '/operator/v1/moderation/clauses')
    return { path: '/moderation/clauses', body, status: 200 }
  },
  readTransparency: async () => ({ path: '/moderation/transparency', status: 200 }),
  readModerationSettings: async () => ({ path: '/moderation/settings', status: 200 }),
  replaceModerationSettings: async () => ({
    path: '/moderation/settings',
    body: { labels: ['watch'], groups: [{ name: 'second line', members: ['ann'] }] },
    status: 200,
  }),
  premoderateProfile: async (service) => ({
    path: `/moderation/profiles/${(await service.member()).profileId}/premoderation`,
    body: { on: true, reason: 'Three tips removed' },
    status: 200,
  }),
  labelProfile: async (service) => ({
    path: `/moderation/profiles/${(await service.member()).profileId}/labels`,
    body: { labels: ['watch'] },
    status: 200,
  }),
  labelComment: async (service) => ({
    path: `/moderation/comments/${await newTip(service, await service.member(), (await newOutcome(service)).id)}/labels`,
    body: { labels: ['watch'] },
    status: 200,
  }),
  assignProfile: async (service) => ({
    path: `/moderation/profiles/${(await service.member()).profileId}/assignment`,
    body: { assignee: `person:${(await newToken(service, 'moderator')).name}`, note: 'known-only-to-the-second-line' },
    status: 200,
    secrets: ['known-only-to-the-second-line'],
  }),
  assignComment: async (service) => ({
    path: `/moderation/comments/${await newTip(service, await service.member(), (await newOutcome(service)).id)}/assignment`,
    body: { assignee: `person:${(await newToken(service, 'moderator')).name}` },
    status: 200,
  }),
  readModeratorStatistics: async () => ({ path: '/moderation/moderators', status: 200 }),
  exportStatements: async () => ({ path: '/moderation/transparency/statements.csv', status: 200 }),
  rotateLogKey: async () => ({ path: '/log/keys', status: 201 }),
  readWords: async () => ({ path: '/moderation/words', status: 200 }),
  replaceWords: async () => ({ path: '/moderation/words', body: { blocked: ['zyzzyva'] }, status: 200 }),
  makeMovement: async (service) => ({
    path: '/movements',
    body: { reference: newReference(), customerId: (await service.customer()).id, kind: 'winnings', amount: '5.00' },
    status: 201,
  }),
  readCustomerStatement: async (service) => ({
    path: `/customers/${(await service.customer()).id}/statement?from=2026-01-01&limit=5`,
    status: 200,
  }),
  exportCustomerStatement: async (service) => ({
    path: `/customers/${(await service.customer()).id}/statement.csv`,
    status: 200,
  }),
  importFeed: async () => ({ path: '/feed', status: 200 }),
  putPaymentMethod: async (service) => ({
    path: `/customers/${(await service.customer()).id}/payment-methods/${800_000 + ++counter}`,
    body: {
      type: 'CARD',
      token: 'stored-card-of-the-gateway',
      limits: { minDeposit: '5.00', maxDeposit: '10.00' },
      card: { number: '492912******1239', expiryDate: '12/49', country: 'GB', scheme: 'VISA' },
    },
    status: 201,
    secrets: ['stored-card-of-the-gateway', '492912'],
  }),
  removePaymentMethod: async (service) => {
    const { id, method } = await newDepositor(service)
    return { path: `/customers/${id}/payment-methods/${method}`, status: 204 }
  },
  listDeposits: async () => ({ path: '/deposits?state=CAPTURED', status: 200 }),
  exportDeposits: async () => ({ path: '/deposits.csv?from=2026-01-01&maxAmount=50', status: 200 }),
  readDepositReview: async () => ({ path: '/deposit-review?limit=5', status: 200 }),
  readWaitingDeposits: async () => ({ path: '/statistics/waiting-deposits', status: 200 }),
  readGatewayView: async (service) => {
    const reply = await deposit(service, await newDepositor(service))
    return { path: `/deposits/${reply.json().whoWallets.paymentId}/gateway`, status: 200 }
  },
  getDeposit: async (service) => {
    const reply = await deposit(service, await newDepositor(service))
    return { path: `/deposits/${reply.json().whoWallets.paymentId}`, status: 200 }
  },
  resolveDeposit: async (service) => {
    const created = await newDepositor(service, { token: 'sandbox:capture-refused' })
    const reply = await deposit(service, created)
    await sweepUntil(service, created.id, ['REVIEW'])
    const { paymentId } = reply.json().whoWallets
    return { path: `/deposits/${paymentId}/resolution`, body: { outcome: 'voided', note: 'asked' }, status: 200 }
  },
  refundDeposit: async (service) => ({
    path: `/deposits/${(await captured(service)).paymentId}/refunds`,
    body: { amount: '5.00', reason: 'asked for it' },
    status: 201,
  }),
  listDepositRefunds: async (service) => ({
    path: `/deposits/${(await captured(service)).paymentId}/refunds`,
    status: 200,
  }),
  listRefunds: async () => ({ path: '/refunds?state=DONE&limit=5', status: 200 }),
  approveRefund: async (service) => ({ path: `/refunds/${await waitingRefund(service)}/approval`, status: 200 }),
  refuseRefund: async (service) => ({
    path: `/refunds/${await waitingRefund(service)}/refusal`,
    body: { reason: 'has played with it' },
    status: 200,
  }),
  resolveRefund: async (service) => ({
    path: `/refunds/${await sentRefund(service)}/resolution`,
    body: { outcome: 'done', note: 'seen at the gateway' },
    status: 200,
  }),
  listWithdrawals: async () => ({ path: '/withdrawals?state=PAID&limit=5', status: 200 }),
  getWithdrawal: async (service) => ({ path: `/withdrawals/${(await waitingWithdrawal(service)).id}`, status: 200 }),
  approveWithdrawal: async (service) => ({
    path: `/withdrawals/${(await waitingWithdrawal(service)).id}/approval`,
    status: 200,
  }),
  refuseWithdrawal: async (service) => ({
    path: `/withdrawals/${(await waitingWithdrawal(service)).id}/refusal`,
    body: { reason: 'The card is not yours.' },
    status: 200,
  }),
  holdWithdrawal: async (service) => ({
    path: `/withdrawals/${(await waitingWithdrawal(service)).id}/hold`,
    body: { reason: 'Please send us a proof of your address.' },
    status: 200,
  }),
  releaseWithdrawal: async (service) => {
    const path = `/withdrawals/${(await waitingWithdrawal(service)).id}/hold`
    await service.operator('PUT', `/operator/v1${path}`, { reason: 'Please send us a proof.' })
    return { path, status: 200 }
  },
  resolveWithdrawal: async (service) => ({
    path: `/withdrawals/${(await reviewedWithdrawal(service)).id}/resolution`,
    body: { outcome: 'paid', note: 'seen at the gateway' },
    status: 200,
  }),
  readWithdrawalOptions: async (service) => ({
    path: `/customers/${(await player(service, {})).id}/withdrawal-options`,
    status: 200,
  }),
  requestWithdrawal: async (service) => {
    const { id, cards } = await player(service, {})
    const body = { amount: '5.00', paymentMethodId: `${cards[0]}`, reason: 'asked by telephone' }
    return { path: `/customers/${id}/withdrawals`, body, status: 201 }
  },
  recordOutsidePayment: async (service) => {
    const winner = await service.customer()
    await win(service, winner, '5.00')
    const body = { amount: '5.00', bankReference: 'FT-42', note: 'paid by the bank' }
    return { path: `/customers/${winner.id}/outside-payments`, body, status: 200 }
  },
  recordOutsideReturn: async (service) => ({
    path: `/withdrawals/${await paidOutside(service)}/outside-return`,
    body: { note: 'returned by the bank' },
    status: 200,
  }),
  listUnappliedNotifications: async () => ({ path: '/notifications/unapplied?limit=5', status: 200 }),
  settleNotification: async (service) => ({
    path: `/notifications/unapplied/${await unappliedNotification(service)}/settlement`,
    body: { note: 'the gateway has corrected it' },
    status: 204,
  }),
  listMoneyProposals: async () => ({ path: '/money-proposals?limit=5', status: 200 }),
  withdrawMoneyProposal: async (service) => ({ path: `/money-proposals/${await newProposal(service)}`, status: 204 }),
  listBalancesToPay: async () => ({ path: '/balances-to-pay?limit=5', status: 200 }),
  writeOffDebt: async (service) => ({
    path: `/customers/${(await debtor(service)).id}/debt-write-offs`,
    body: { amount: '5.00', note: 'has died' },
    status: 200,
  }),
  endDispute: async (service) => ({
    path: `/disputes/${(await disputed(service)).disputeId}/end`,
    body: { note: 'the bank has closed the case' },
    status: 200,
  }),
  listDisputes: async () => ({ path: '/disputes?due=yes&limit=5', status: 200 }),
  sendSandboxNotification: async (service) => ({
    path: '/sandbox/disputes',
    body: { paymentId: (await captured(service)).paymentId, event: 'CHARGEBACK' },
    status: 200,
  }),
  checkLedger: async () => ({ path: '/ledger/check', status: 200 }),
  readLastLedgerCheck: async () => ({ path: '/ledger/last-check', status: 200 }),
  readMoneyStatistics: async () => ({ path: '/statistics/money?days=7', status: 200 }),
  readRecord: async (service) => ({
    path: `/profiles/${(await service.member()).profileId}/record?numDays=90&band=2-4&sportId=1`,
    status: 200,
  }),
  checkRecord: async (service) => ({
    path: `/profiles/${(await service.member()).profileId}/record/check`,
    status: 200,
  }),
  readRecordRanking: async () => ({ path: '/records/ranking?numDays=7', status: 200 }),
  readStatistics: async () => ({ path: '/statistics?days=7', status: 200 }),
  readMe: async () => ({ path: '/me', status: 200 }),
  listEvents: async () => ({ path: '/events?after=0&kinds=profile.created&limit=5', status: 200 }),
  createWebhook: async () => ({ path: '/webhooks', body: { url: 'https://example.com/webhooks' }, status: 201 }),
  listWebhooks: async () => ({ path: '/webhooks', status: 200 }),
  getWebhook: async (service) => ({ path: `/webhooks/${await newWebhook(service)}`, status: 200 }),
  changeWebhook: async (service) => ({
    path: `/webhooks/${await newWebhook(service)}`,
    body: { kinds: ['tip.settled'] },
    status: 200,
  }),
  deleteWebhook: async (service) => ({ path: `/webhooks/${await newWebhook(service)}`, status: 204 }),
  rotateWebhookSecret: async (service) => ({ path: `/webhooks/${await newWebhook(service)}/secret`, status: 201 }),
  testWebhook: async (service) => ({ path: `/webhooks/${await newWebhook(service)}/test`, status: 201 }),
  listWebhookDeliveries: async (service) => ({
    path: `/webhooks/${await newWebhook(service)}/deliveries`,
    status: 200,
  }),
  getWebhookDelivery: async (service) => {
    const { id, deliveryId } = await endedDelivery(service)
    return { path: `/webhooks/${id}/deliveries/${deliveryId}`, status: 200 }
  },
  resendWebhookDeliveries: async (service) => ({
    path: `/webhooks/${await newWebhook(service)}/resend`,
    body: { from: '2026-03-14', types: ['tip.settled'] },
    status: 200,
  }),
  resendWebhookDelivery: async (service) => {
    const { id, deliveryId } = await endedDelivery(service)
    return { path: `/webhooks/${id}/deliveries/${deliveryId}/resend`, status: 201 }
  },
  openConsoleStream: async () => ({ path: '/stream', status: 200 }),
  setPresence: async () => ({
    path: '/presence',
    body: { tab: 'tab-of-a-test', item: null },
    status: 204,
  }),
  listAudit: async () => ({ path: '/audit', status: 200 }),
  exportAudit: async () => ({ path: '/audit.csv?operation=signIn', status: 200 }),
}

export async function caseOf(service: TestService, { name }: OperatorOperation, caller?: string): Promise<Case> {
  const make = cases[name]
  if (make === undefined) throw new Error(`add a case for ${name} to test/operator/cases.ts`)
  const created = await make(service, caller)
  return { ...created, path: `/operator/v1${created.path}` }
}

/** Of a person of this name. */
export async function newToken(service: TestService, role: string, name = `t${++counter}`): Promise<Json> {
  return (await service.operator('POST', '/operator/v1/tokens', { name, role, owner: name })).body
}

/** Against a decision of another token, so that everybody may decide it. */
export async function newAppeal(service: TestService): Promise<number> {
  const { token } = await newToken(service, 'moderator')
  const author = await service.member()
  const { decisions } = await decide(service, `comments/${await tipBy(service, author)}`, { action: 'remove' }, token)
  return appealed(service, author, Number(decisions.at(-1).id))
}

export async function newApplication(service: TestService): Promise<string> {
  return (await service.operator('POST', '/operator/v1/applications', { name: 'An app' })).body.apiKey
}

async function newOutcome(service: TestService): Promise<TestOutcome> {
  return (await newMatch(service))[0] as TestOutcome
}

/** The id of a decision that waits for a second person: another one than the tests' own operator has ended a dispute. */
export async function newProposal(service: TestService): Promise<string> {
  const { disputeId } = await disputed(service)
  const body = { note: 'the bank has closed the case' }
  await service.operator('POST', `/operator/v1/disputes/${disputeId}/end`, body, await anotherOperator(service))
  const { items } = (await service.operator('GET', '/operator/v1/money-proposals?limit=100')).body
  return items.find(({ kind, subject }: Json) => kind === 'dispute' && subject === disputeId).id
}

export async function newWebhook(service: TestService): Promise<string> {
  return (await service.operator('POST', '/operator/v1/webhooks', { url: 'https://example.com/webhooks' })).body.id
}

const endDelivery = writing<{ id: number }>(
  'endDelivery',
  `update webhook_delivery set state = 'failed', due_at = null, finished_at = 1 where id = :id`,
)

export async function endedDelivery(service: TestService): Promise<{ id: string; deliveryId: string }> {
  const id = await newWebhook(service)
  const { body } = await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
  await service.context.database.run(endDelivery, { id: Number(body.id) })
  return { id, deliveryId: body.id }
}

export async function newConsoleSession({ context: { database, now } }: TestService): Promise<number> {
  const hash = `hash-${++counter}`
  const row = await database.one(insertConsoleSession, {
    cookieHash: hash,
    name: 'openid:ann',
    role: 'feed',
    subject: 's',
    now: now(),
    expiresAt: now() + 60_000,
  })
  return row?.id ?? 0
}

export async function newView(service: TestService, owner?: string): Promise<string> {
  const body = { name: `View ${++counter}`, address: 'customers' }
  return (await service.operator('POST', '/operator/v1/views', body, owner)).body.id
}
