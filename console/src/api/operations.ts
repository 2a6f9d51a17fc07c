// The operations of the operator API that the console calls, with what each takes and answers. All types are those of the
// service's own rows; no code of it is imported.

import type { OperatorCalls } from '../../../src/operator/operations.ts'

/** Method and path of each. The compiler refuses what the service's row does not have. */
const ROUTES = {
  readMe: 'GET /me',
  createToken: 'POST /tokens',
  listTokens: 'GET /tokens',
  revokeToken: 'DELETE /tokens/{id}',
  createApplication: 'POST /applications',
  listApplications: 'GET /applications',
  revokeApplication: 'DELETE /applications/{apiKey}',
  replaceApplicationSecret: 'POST /applications/{apiKey}/secret',
  putReturnAddresses: 'PUT /applications/{apiKey}/return-addresses',
  listApplicationRequests: 'GET /applications/{apiKey}/requests',
  listAudit: 'GET /audit',
  checkAudit: 'GET /audit/check',
  exportAudit: 'GET /audit.csv',
  listCustomerBets: 'GET /customers/{id}/bets',
  listCustomerComments: 'GET /customers/{id}/comments',
  listCustomerFlags: 'GET /customers/{id}/flags',
  putCustomer: 'PUT /customers/{id}',
  listCustomers: 'GET /customers',
  getCustomer: 'GET /customers/{id}',
  setCustomerStatus: 'PUT /customers/{id}/status',
  reinstateCustomer: 'POST /customers/{id}/reinstatement',
  recordReturn: 'POST /customers/{id}/return',
  issueTicket: 'POST /customers/{id}/tickets',
  listSessions: 'GET /customers/{id}/sessions',
  endSessions: 'DELETE /customers/{id}/sessions',
  endSession: 'DELETE /customers/{id}/sessions/{session}',
  readCustomerTimeline: 'GET /customers/{id}/timeline',
  openConsoleStream: 'GET /stream',
  setPresence: 'PUT /presence',
  listEvents: 'GET /events',
  createWebhook: 'POST /webhooks',
  listWebhooks: 'GET /webhooks',
  getWebhook: 'GET /webhooks/{id}',
  changeWebhook: 'PATCH /webhooks/{id}',
  deleteWebhook: 'DELETE /webhooks/{id}',
  rotateWebhookSecret: 'POST /webhooks/{id}/secret',
  testWebhook: 'POST /webhooks/{id}/test',
  listWebhookDeliveries: 'GET /webhooks/{id}/deliveries',
  getWebhookDelivery: 'GET /webhooks/{id}/deliveries/{deliveryId}',
  resendWebhookDelivery: 'POST /webhooks/{id}/deliveries/{deliveryId}/resend',
  resendWebhookDeliveries: 'POST /webhooks/{id}/resend',
  readHealth: 'GET /health',
  decideAppeal: 'POST /moderation/appeals/{id}',
  readModerationTexts: 'GET /moderation/clauses',
  replaceModerationTexts: 'PUT /moderation/clauses',
  getModeratedComment: 'GET /moderation/comments/{id}',
  moderateComment: 'POST /moderation/comments/{id}',
  readModerationQueue: 'GET /moderation/queue',
  getModeratedProfile: 'GET /moderation/profiles/{id}',
  moderateProfile: 'POST /moderation/profiles/{id}',
  getProfileContext: 'GET /moderation/profiles/{id}/context',
  getCommentContext: 'GET /moderation/comments/{id}/context',
  listReporters: 'GET /reporters',
  markReporter: 'PUT /reporters/{profileId}',
  listTips: 'GET /comments',
  listTopOutcomes: 'GET /outcomes/top',
  readModerationSettings: 'GET /moderation/settings',
  replaceModerationSettings: 'PUT /moderation/settings',
  premoderateProfile: 'PUT /moderation/profiles/{id}/premoderation',
  labelProfile: 'PUT /moderation/profiles/{id}/labels',
  labelComment: 'PUT /moderation/comments/{id}/labels',
  assignProfile: 'PUT /moderation/profiles/{id}/assignment',
  assignComment: 'PUT /moderation/comments/{id}/assignment',
  readModeratorStatistics: 'GET /moderation/moderators',
  readTransparency: 'GET /moderation/transparency',
  exportStatements: 'GET /moderation/transparency/statements.csv',
  readWords: 'GET /moderation/words',
  replaceWords: 'PUT /moderation/words',
  testWords: 'POST /moderation/words/test',
  exportPersonalData: 'GET /customers/{id}/personal-data',
  erasePersonalData: 'DELETE /customers/{id}/personal-data',
  searchAll: 'GET /search',
  readNames: 'GET /names',
  listViews: 'GET /views',
  saveView: 'POST /views',
  deleteView: 'DELETE /views/{id}',
  listSports: 'GET /sports',
  readRecord: 'GET /profiles/{id}/record',
  checkRecord: 'GET /profiles/{id}/record/check',
  readRecordRanking: 'GET /records/ranking',
  readStatistics: 'GET /statistics',
  readMoneyStatistics: 'GET /statistics/money',
  listPaymentMethods: 'GET /customers/{id}/payment-methods',
  closePaymentMethod: 'POST /customers/{id}/payment-methods/{methodId}/closure',
  reopenPaymentMethod: 'DELETE /customers/{id}/payment-methods/{methodId}/closure',
  recordAccountClosure: 'POST /customers/{id}/payment-methods/{methodId}/account-closure',
  listDeposits: 'GET /deposits',
  exportDeposits: 'GET /deposits.csv',
  readCustomerStatement: 'GET /customers/{id}/statement',
  exportCustomerStatement: 'GET /customers/{id}/statement.csv',
  readDepositReview: 'GET /deposit-review',
  readWaitingDeposits: 'GET /statistics/waiting-deposits',
  getDeposit: 'GET /deposits/{paymentId}',
  readGatewayView: 'GET /deposits/{paymentId}/gateway',
  resolveDeposit: 'POST /deposits/{paymentId}/resolution',
  listDepositRefunds: 'GET /deposits/{paymentId}/refunds',
  listRefunds: 'GET /refunds',
  refundDeposit: 'POST /deposits/{paymentId}/refunds',
  approveRefund: 'POST /refunds/{id}/approval',
  refuseRefund: 'POST /refunds/{id}/refusal',
  resolveRefund: 'POST /refunds/{id}/resolution',
  listDisputes: 'GET /disputes',
  endDispute: 'POST /disputes/{id}/end',
  listWithdrawals: 'GET /withdrawals',
  getWithdrawal: 'GET /withdrawals/{id}',
  approveWithdrawal: 'POST /withdrawals/{id}/approval',
  refuseWithdrawal: 'POST /withdrawals/{id}/refusal',
  holdWithdrawal: 'PUT /withdrawals/{id}/hold',
  releaseWithdrawal: 'DELETE /withdrawals/{id}/hold',
  resolveWithdrawal: 'POST /withdrawals/{id}/resolution',
  readWithdrawalOptions: 'GET /customers/{id}/withdrawal-options',
  requestWithdrawal: 'POST /customers/{id}/withdrawals',
  recordOutsidePayment: 'POST /customers/{id}/outside-payments',
  recordOutsideReturn: 'POST /withdrawals/{id}/outside-return',
  listUnappliedNotifications: 'GET /notifications/unapplied',
  settleNotification: 'POST /notifications/unapplied/{id}/settlement',
  listMoneyProposals: 'GET /money-proposals',
  withdrawMoneyProposal: 'DELETE /money-proposals/{id}',
  listBalancesToPay: 'GET /balances-to-pay',
  writeOffDebt: 'POST /customers/{id}/debt-write-offs',
  checkLedger: 'GET /ledger/check',
  readLastLedgerCheck: 'GET /ledger/last-check',
} as const satisfies { readonly [Name in keyof OperatorCalls]?: OperatorCalls[Name]['route'] }

export type OperationName = keyof typeof ROUTES
export type AnswerOf<Name extends OperationName> = OperatorCalls[Name]['answer']
export type BodyOf<Name extends OperationName> = OperatorCalls[Name]['body']
type QueryOf<Name extends OperationName> = OperatorCalls[Name]['query']

/** May also have text where the server wants less: filters come from the address, and the server says what is wrong. */
type SentQuery<Query> = { readonly [Field in keyof Query]: Query[Field] | string }
type Taken<Field extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { readonly [F in Field]?: Value }
    : { readonly [F in Field]: Value }
type Given<Name extends OperationName> = OperatorCalls[Name]['path'] &
  Taken<'query', SentQuery<QueryOf<Name>>> &
  Taken<'body', BodyOf<Name>>

/** The parameters of the path by their names, `query` and `body`: what the operation has of them. */
export type Arguments<Name extends OperationName> =
  object extends Given<Name> ? [given?: Given<Name>] : [given: Given<Name>]

/** What is sent, without its types. */
export type Sent = { readonly query?: object; readonly body?: unknown; readonly [parameter: string]: unknown }

export function routeOf(name: OperationName): string {
  return ROUTES[name]
}

/** The address is below that of the API. Fields of the query that are empty are left out. */
export function requestOf(
  name: OperationName,
  { query = {}, ...given }: Sent = {},
): { method: string; address: string } {
  const [method = '', path = ''] = ROUTES[name].split(' ')
  const address = path.replace(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(String(given[parameter])))
  const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return { method, address: fields.length === 0 ? address : `${address}?${new URLSearchParams(fields)}` }
}
