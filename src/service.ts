// The composition root: config → database, gateways, listeners. Everything opened here is closed here.

import { join } from 'node:path'
import { startBackgroundTasks } from './background-tasks.ts'
import { feedCursors } from './communities/feed-cursors.ts'
import { drainInThread } from './communities/start-tip-status-thread.ts'
import { tipStatusWork } from './communities/tip-status.ts'
import { gracefulClose } from './http/connection/graceful-close.ts'
import { addressOf, portOf } from './http/connection/listener-address.ts'
import { localShares, type Shares } from './http/limits/rate-limit.ts'
import { bindOperations } from './http/operations/bind-operations.ts'
import { publicServer } from './http/public-server.ts'
import { applications } from './identity/applications/application.ts'
import { savedRequests } from './identity/applications/saved-requests.ts'
import { ENDING_STATEMENTS } from './identity/ending-statements.ts'
import { exclusionRegister } from './identity/exclusions/register.ts'
import { bootstrapToken } from './identity/operators/bootstrap-token.ts'
import { startLink } from './identity/operators/start-link.ts'
import { type BuiltinSessions, builtinSessions } from './identity/sessions/builtin.ts'
import { externalTickets } from './identity/sessions/external-tickets.ts'
import { cachedTickets, type TicketSource } from './identity/sessions/tickets.ts'
import { holdRules } from './moderation/decisions/hold-rules.ts'
import { offeredOperations, type PublicContext } from './operations.ts'
import type { OperatorContext } from './operator/context.ts'
import { pushedEvents } from './operator/events/event-kinds.ts'
import { operatorAreas } from './operator/operations.ts'
import { operatorServer } from './operator/server/server.ts'
import type { Config } from './platform/config/config.ts'
import { openServiceDatabase, replicasOf, sqliteFile } from './platform/configured-database.ts'
import { tracingOf } from './platform/configured-tracing.ts'
import type { Context } from './platform/context.ts'
import type { Database } from './platform/database/database.ts'
import { refuseOtherSchema } from './platform/database/migrate.ts'
import { type DatabasePatience, untilAvailable } from './platform/database/open.ts'
import { type CredentialReads, primaryCredentials } from './platform/database/replicas/credential-reads.ts'
import { migrateAtStart } from './platform/migrate-at-start.ts'
import type { Log } from './platform/observability/log.ts'
import { createMetrics, type Metrics } from './platform/observability/metrics.ts'
import { type RecentRequests, recentRequests, startShowing } from './platform/observability/recent-requests.ts'
import { closeAll, closingOnFailure, type Opened } from './platform/opened.ts'
import { boundedCache } from './platform/runtime/cache.ts'
import { turnTime } from './platform/runtime/clock.ts'
import { openDataFolder } from './platform/runtime/data-folder.ts'
import { HOUR_MS } from './platform/runtime/durations.ts'
import { storeMissingLooks } from './profiles/old-names.ts'
import { diskPictures } from './profiles/pictures/disk.ts'
import { s3Pictures } from './profiles/pictures/s3.ts'
import { servePictures } from './profiles/pictures/serve.ts'
import { mostFollowed } from './profiles/ranking.ts'
import { serveReference } from './reference/serve.ts'
import { matchDay, prepareMatchDay } from './sandbox/afternoon/match-day.ts'
import { hasSandboxAddresses, SANDBOX_HOME, serveSandbox } from './sandbox/routes/serve.ts'
import { refuseSandboxInProduction, seedSandbox } from './sandbox/sandbox.ts'
import { SANDBOX } from './sandbox/world/customers.ts'
import { consoleStreams } from './streams/console/streams.ts'
import { applicationStreams } from './streams/public/streams.ts'
import { operatorWords } from './text-rules/operator-words.ts'
import { beginTipLog } from './tip-log/keys.ts'
import { logPages } from './tip-log/pages.ts'
import { ledgerChecks } from './wallets/books/ledger-checks.ts'
import type { Gateway } from './wallets/gateways/gateway.ts'
import { openGateways } from './wallets/gateways/gateways.ts'
import { serveNotifications } from './wallets/notifications/serve-notifications.ts'
import { SWEEP_EVERY_MS } from './wallets/sweep/sweeper.ts'
import { replayWithdrawals } from './wallets/withdrawals/replay.ts'
import { DISPATCH_EVERY_MS } from './webhooks/dispatcher.ts'
import type { WorkerPool } from './workers/pool.ts'
import type { WriteNotices } from './workers/write-notices.ts'

/** Everything that was opened, for both listeners and the background tasks. */
type ServiceContext = PublicContext & OperatorContext

export type Service = {
  readonly publicUrl: string
  readonly operatorUrl: string
  readonly operatorToken: { token: string; isNew: boolean }
  readonly context: ServiceContext
  close(): Promise<void>
}

type ServiceDependencies = {
  log: Log
  metrics?: Metrics
  recent?: RecentRequests
  now?: () => number
  sweepEveryMs?: number
  dispatchEveryMs?: number
  /** The processes that serve the public listener; without them this process does. */
  workers?: WorkerPool
  /** For a worker: notices of the other workers' writes. */
  writeNotices?: WriteNotices
  /** For a worker: its shares of the applications' limits. */
  shares?: Shares
  /** How long a second of the sandbox's match day takes. */
  matchDaySecondMs?: number
  databasePatience?: DatabasePatience
  /** Wraps the ports; the crash tests count calls here. */
  observePorts?: { database(port: Database): Database; gateway(port: Gateway): Gateway }
}

/** Served by this process or by its workers. */
type PublicListener = { listen(): Promise<number>; close(): Promise<void> }

/** Everything, except that workers serve the public listener if there are any. */
export async function startService(config: Config, dependencies: ServiceDependencies): Promise<Service> {
  const { sweepEveryMs = SWEEP_EVERY_MS, dispatchEveryMs = DISPATCH_EVERY_MS, workers = null } = dependencies
  return closingOnFailure(async (opened) => {
    const context = await openContext(config, dependencies, opened, migrateSchema)
    await replayWithdrawals(context)
    if (config.mode === 'production') await refuseSandboxInProduction(context)
    else await seedSandbox(context)
    if (hasSandboxAddresses(context)) await prepareMatchDay(context)
    await beginTipLog(context.database, context.now())
    await context.words.refresh()
    await context.holds.refresh()
    await context.tipStatus.begin()
    // A replica must have everything written so far, above all the schema, before it is read.
    context.replicas?.writes.noteForAll()
    const operatorToken = bootstrapToken(config)
    let publicUrl = ''
    const operator = operatorServer(context, operatorToken.token, operatorAreas, () => publicUrl)
    const operatorUrl = () => addressOf(config.operator, portOf(operator))
    const publicApi = workers ?? publicListener(context, operatorUrl, dependencies)
    opened.unshift(...(await startBackgroundTasks(context, { sweepEveryMs, dispatchEveryMs })))
    opened.unshift(publicApi, gracefulClose(operator))
    await operator.listen(config.operator)
    publicUrl = publicAddress(config, await publicApi.listen())
    return {
      publicUrl,
      operatorUrl: operatorUrl(),
      operatorToken,
      context,
      close: () => closeAll(opened),
    }
  })
}

/** Only the public listener: a worker of a service that another process started. */
export async function startWorker(
  config: Config,
  dependencies: ServiceDependencies,
): Promise<{ close(): Promise<void> }> {
  return closingOnFailure(async (opened) => {
    const context = await openContext(config, dependencies, opened, refuseOtherSchema)
    await context.words.refresh()
    await context.holds.refresh()
    if (context.replicas !== null) dependencies.writeNotices?.listen(context.replicas)
    // The link is of the process that serves the operator listener.
    const ownContext = { ...context, startLink: null }
    const publicApi = publicListener(ownContext, () => addressOf(config.operator, config.operator.port), dependencies)
    opened.unshift(publicApi)
    await publicApi.listen()
    return { close: () => closeAll(opened) }
  })
}

async function openContext(
  config: Config,
  dependencies: ServiceDependencies,
  opened: Opened,
  prepare: (database: Database, dependencies: ServiceDependencies, config: Config) => Promise<void>,
): Promise<ServiceContext> {
  const { log, now = turnTime, metrics = createMetrics(now), recent = recentRequests(now) } = dependencies
  const {
    observePorts,
    workers = null,
    writeNotices = null,
    shares = localShares(),
    databasePatience = {},
  } = dependencies
  openDataFolder(config.dataFolder)
  const tracing = await tracingOf(config, { log, metrics })
  if (tracing !== null) opened.unshift(tracing)
  const observed = { log, metrics, tracing }
  const others = writeNotices ?? workers
  const parts = { ...observed, patience: databasePatience, others, ending: ENDING_STATEMENTS }
  const { unobserved, database, writes, stale } = openServiceDatabase(config, {
    ...parts,
    observePort: observePorts?.database,
  })
  opened.unshift(database, metrics)
  await untilAvailable(() => prepare(database, dependencies, config), config.databaseWaitMs, log)
  opened.unshift(writes)
  await writes.start()
  const gateways = await openGateways(config, observePorts?.gateway)
  const replicas = await replicasOf(config, database, { ...observed, stale, others })
  if (replicas !== null) opened.unshift(replicas)
  const credentials = replicas?.credentials ?? primaryCredentials(database)
  // Unobserved: the crash tests count what requests and money need.
  const saved = config.mode === 'sandbox' ? savedRequests({ database: unobserved, log, now }, recent) : null
  opened.unshift(saved ?? startShowing(recent, { log }))
  const external = await externalTickets(config, { database, credentials, now })
  const opening = {
    ...{ ...observed, now, workers, database, credentials, replicas, gateways, shares },
    ...{ recentRequests: recent, savedRequests: saved, writeProblem: () => writes.problem() },
  }
  const context = createContext(config, opening, external)
  if (context.sessions !== null) opened.unshift(context.sessions)
  const { tipStatus, words, holds, pictures, streams, consoleStreams } = context
  opened.unshift(tipStatus, words, holds, gateways, pictures, streams, consoleStreams)
  return context
}

async function migrateSchema(database: Database, { log, now = turnTime }: ServiceDependencies, config: Config) {
  await migrateAtStart(config, database, { log, now: now() })
  await storeMissingLooks(database)
}

function publicAddress(config: Config, port: number): string {
  return addressOf({ host: config.public.host, tls: config.tls }, port)
}

function publicListener(
  context: ServiceContext,
  consoleUrl: () => string,
  { matchDaySecondMs }: ServiceDependencies,
): PublicListener {
  const { pictures, sandboxSeed } = context.config
  const { host, port } = context.config.public
  const day = hasSandboxAddresses(context) ? matchDay(context, matchDaySecondMs) : null
  const app = publicServer(context, bindOperations(context, offeredOperations(context)), (more) => {
    serveNotifications(context, more)
    if (day !== null) serveSandbox(context, more, { matchDay: day, consoleUrl })
  })
  app.addHook('preClose', async () => context.streams.end())
  servePictures(app, context)
  const address = () => context.config.public.url ?? publicAddress(context.config, portOf(app))
  const home = day === null ? undefined : SANDBOX_HOME
  serveReference(app, offeredOperations(context), { sandbox: sandboxSeed, picture: pictures.default, address, home })
  const closing = gracefulClose(app)
  return {
    async listen() {
      await app.listen({ host, port })
      return portOf(app)
    },
    async close() {
      await closing.close()
      await day?.close()
    },
  }
}

type OpenedParts = 'recentRequests' | 'savedRequests' | 'workers' | 'writeProblem' | 'replicas' | 'gateways' | 'shares'
type Parts = Omit<Context, 'config'> & Pick<ServiceContext, OpenedParts>
type IdentityParts = Parts & { readonly credentials: CredentialReads }

/** `external`: the source of tickets if they are not our own. */
function createContext(
  config: Config,
  { credentials, ...parts }: IdentityParts,
  external: TicketSource | null,
): ServiceContext {
  const { log, now, database } = parts
  const register = exclusionRegister(config, SANDBOX.registered.id, parts)
  const sessions = external === null ? builtinSessions({ database, credentials, log, now }, register) : null
  const tickets = cachedTickets(external ?? (sessions as BuiltinSessions), now)
  const words = operatorWords(database, log)
  const knownApplications = applications({ database, credentials, now }, config.rateLimit)
  const drain = config.databaseUrl === null ? drainInThread(sqliteFile(config)) : undefined
  return {
    config,
    ...parts,
    applications: knownApplications,
    tickets,
    sessions,
    exclusionRegister: register,
    streams: applicationStreams({
      ...parts,
      stale: parts.replicas?.stale ?? null,
      applications: knownApplications,
      tickets,
      ...config.events,
    }),
    consoleStreams: consoleStreams({ ...parts, ...config.events }),
    startLink: startLink(config, now),
    words,
    textRules: words.rules,
    holds: holdRules(database, log, now),
    pictures:
      config.pictures.store === 's3'
        ? s3Pictures(config.pictures.s3)
        : diskPictures(join(config.dataFolder, 'pictures')),
    mostFollowed: mostFollowed(database, config, now),
    profileIds: boundedCache(100_000, HOUR_MS, now),
    feedCursors: feedCursors(now),
    tipStatus: tipStatusWork(parts, drain),
    pushedEvents,
    logPages: logPages(database, now),
    ledgerChecks: ledgerChecks(parts),
    pastDays: boundedCache(10_000, HOUR_MS, now),
  }
}
