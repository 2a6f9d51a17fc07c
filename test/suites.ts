// Which suites run where: vitest.config.ts makes its projects of these lists. A suite that is in no list below runs in
// `npm test`, on both engines if it is in a folder of ENGINE_SUITES.

/** They start the service: on SQLite and PostgreSQL. */
export const ENGINE_SUITES = [
  'test/{client,contract,flows,concurrency,interleavings,database,operator,event-log,moderation,webhooks,streams,mutes,notifications,record,sandbox,search,tip-log}/**/*.test.ts',
  // Those beside these folders have no database.
  'test/wallets/*/**/*.test.ts',
  'test/process/workers.test.ts',
  'test/tracing/requests.test.ts',
]

/** Needs what only PostgreSQL 18 has: statistics that can be set, and generic plans. */
export const PLAN_SUITE = 'test/database/plans.test.ts'

/**
 * They test documents, roles, requests, connections and receivers, whatever the engine is: on SQLite only. On PostgreSQL
 * test/operator/audit.test.ts calls every operation of the operator API.
 */
export const ONE_ENGINE_SUITES = [
  'test/client/{readme,stream,walk,webhooks}.test.ts',
  'test/flows/{long-turns,reference-examples,request-work}.test.ts',
  'test/sandbox/script.test.ts',
  'test/operator/{application-requests,examples,money-alone,openapi,reference,requests,roles,schema}.test.ts',
  'test/streams/{ends,slow-reader}.test.ts',
  'test/webhooks/{addresses,changing-names,documented-receiver,misbehaviour}.test.ts',
  // Formats and computations, in which the database has no part.
  'test/contract/representation.test.ts',
  'test/record/figures.test.ts',
  'test/tip-log/{merkle,other-language}.test.ts',
  'test/database/money-statements.test.ts',
]

/** They look at the console and the showcase in a real browser. */
export const BROWSER_SUITES = 'test/browser/**/*.test.ts'

/** Packs, and installs from the registry. */
export const PACKAGE_SUITE = 'test/process/package.test.ts'

/** Only in `npm run test:all`: what few changes can break, and what needs a network or other programs. */
export const ONLY_IN_ALL = [
  PACKAGE_SUITE,
  'test/bench/**/*.test.ts',
  'test/client-library/{package,types}.test.ts',
  'test/database/bench-data.test.ts',
  'test/database/{failover,replicas-workers,stale-reads-promotion,stale-reads-workers}.test.ts',
  'test/database/upgrade/installations.test.ts',
  'test/failover/**/*.test.ts',
  // Each long call at its largest size.
  'test/flows/long-turns.test.ts',
  'test/lock-file.test.ts',
  // Need promtool and prometheus; alerts.test.ts beside it compares the files.
  'test/observability/alert-programs.test.ts',
  'test/process/{backup,backup-postgres,commands,doctor,mistakes,npm,restore,verify-log}.test.ts',
  // Pictures that are refused, some of them large: they depend on sharp. `npm test` has test/pictures/encode.test.ts.
  'test/pictures/encode-refusals.test.ts',
  // They fill databases with the 90 days of the sandbox.
  'test/sandbox/{first-start,history}.test.ts',
  'test/scripts-help.test.ts',
]

/**
 * On PostgreSQL only in `npm run test:all`: they decide in TypeScript, on rows that plain statements read and write. The other
 * suites must run each statement of src on PostgreSQL in `npm test`, which fails if they do not (harness/run-statements.ts).
 * What locks, searches, moves money or depends on the order of commits stays on both engines.
 */
export const ON_POSTGRES_IN_ALL = [
  'test/moderation/{overturn,transparency}.test.ts',
  'test/client/service.test.ts',
  'test/contract/{communities,decisions,edges,texts}.test.ts',
  // Counts the statements of each operation, which are the same.
  'test/flows/costs.test.ts',
  // The same random stories: on SQLite in `npm test`.
  'test/{mutes,notifications,record,search}/model.test.ts',
  'test/flows/match-day.test.ts',
  'test/notifications/{notifications,projection}.test.ts',
  'test/flows/{card-secrets,comment-details,deployment,exclusion-register,guessing,ownership,pictures,profile-creation,profiles,sandbox,secrets,sessions}.test.ts',
  'test/operator/{applications,bets,closing-price,comments,customer-page,customer-status,customers,events,gateway-view,health,personal-data,sportsbook,texts,tokens,views,words-test}.test.ts',
  'test/process/workers.test.ts',
  'test/wallets/{books/reconcile,deposits/adyen-challenges}.test.ts',
  'test/record/{ranking,record,recount,view}.test.ts',
  // The 90 days on both engines are compared in first-start.test.ts.
  'test/sandbox/{addresses,cards}.test.ts',
  'test/streams/resume.test.ts',
  'test/tip-log/{history,log,open-calls,tampering}.test.ts',
  'test/tracing/requests.test.ts',
  'test/webhooks/masked-addresses.test.ts',
]

/** On SQLite only in `npm run test:all`: on PostgreSQL they show more, and test/process/workers.test.ts has processes on SQLite. */
export const ON_SQLITE_IN_ALL = ['test/streams/processes.test.ts']

/** The browser files of `npm test`: every screen once, and what protects sign-in, money, decisions and the content security policy. */
export const BROWSER_IN_EACH_CHANGE = ['test/browser/{accessibility,app-accessibility,decisions,money,sign-in}.test.ts']

/** They wait for time-outs, clocks and streams more than they compute, and are started first (harness/suite-order.ts). */
export const WAITING_SUITES = [
  'test/http/overload.test.ts',
  'test/streams/outcomes.test.ts',
  'test/streams/console.test.ts',
  'test/http/connections.test.ts',
  'test/http/answer-headers.test.ts',
  'test/wallets/gateways.test.ts',
  'test/streams/ends.test.ts',
  'test/wallets/deposits/gateway-switch.test.ts',
  'test/notifications/notifications.test.ts',
  'test/database/work-check.test.ts',
  'test/flows/excluded-tickets.test.ts',
  'test/client/stream.test.ts',
  'test/http/broken-requests.test.ts',
  'test/tracing/requests.test.ts',
  'test/tracing/exporter.test.ts',
  'test/wallets/refunds/bounds.test.ts',
]

/** They compute all the time, or start processes that do, and run last: harness/suite-order.ts. */
export const BUSY_SUITES = [
  'test/contract/walk.test.ts',
  'test/process/start.test.ts',
  'test/process/workers.test.ts',
  'test/schedules/schedules.test.ts',
  'test/interleavings/interleavings.test.ts',
  'test/concurrency/crash-points.test.ts',
  'test/concurrency/money-crash-points.test.ts',
]
