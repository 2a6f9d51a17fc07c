// The composition root: config → database, ports, listeners. What is opened here is closed here.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { applications } from './applications/application.ts'
import { boundedCache } from './cache.ts'
import { communityOperations } from './communities/operations.ts'
import { feedPlaces } from './communities/places.ts'
import { standingWork } from './communities/standing.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Database, StatementObserver } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { openPostgres } from './database/postgres.ts'
import { openSqlite } from './database/sqlite.ts'
import { serveNotifications } from './http/notifications.ts'
import type { Operation } from './http/operation.ts'
import { servePictures } from './http/pictures.ts'
import { serveReference } from './http/reference.ts'
import { publicServer } from './http/server.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { operatorWords } from './moderation/operator-words.ts'
import { operatorServer } from './operator/server.ts'
import { bootstrapToken } from './operator/token.ts'
import { diskPictures } from './pictures/disk.ts'
import { s3Pictures } from './pictures/s3.ts'
import { profileOperations } from './profiles/operations.ts'
import { mostFollowed } from './profiles/ranking.ts'
import { refuseSandboxInProduction, seedSandbox } from './sandbox/sandbox.ts'
import { type BuiltinSessions, builtinSessions } from './sessions/builtin.ts'
import { introspectionTickets } from './sessions/introspection.ts'
import { jwtTickets } from './sessions/jwt.ts'
import { sessionOperations } from './sessions/operations.ts'
import { ofKnownCustomers, rememberedTickets, type TicketSource } from './sessions/tickets.ts'
import type { Gateway } from './wallets/gateways/gateway.ts'
import { openGateway } from './wallets/gateways/open.ts'
import { walletOperations } from './wallets/operations.ts'
import { SWEEP_EVERY_MS, startSweeper } from './wallets/sweeper.ts'

export type Service = {
  readonly publicUrl: string
  readonly operatorUrl: string
  readonly operatorToken: { token: string; made: boolean }
  readonly context: Context
  close(): Promise<void>
}

export type Surroundings = {
  log: Log
  now?: () => number
  sweepEveryMs?: number
  /** Stands between the service and its ports; the tests that kill it count the calls here. */
  observePorts?: { database(port: Database): Database; gateway(port: Gateway): Gateway }
}

const HOUSEKEEPING_MS = 600_000

/** Every operation that the service can offer, whatever the settings. */
export const allOperations: readonly Operation[] = [
  ...sessionOperations,
  ...profileOperations,
  ...communityOperations,
  ...walletOperations,
]

export async function startService(config: Config, surroundings: Surroundings): Promise<Service> {
  const { log, now = Date.now, observePorts, sweepEveryMs = SWEEP_EVERY_MS } = surroundings
  mkdirSync(config.dataFolder, { recursive: true })
  const metrics = createMetrics()
  const unobserved = openDatabase(config, metrics.statement)
  const database = observePorts?.database(unobserved) ?? unobserved
  const opened: { close(): unknown }[] = [database, metrics]
  try {
    const applied = await migrate(database, now())
    if (applied.length > 0) log.info({ migrations: applied }, 'schema brought up to date')
    const gateway = observePorts?.gateway(openGateway(config)) ?? openGateway(config)
    const context = createContext(config, { log, now, metrics, database, gateway })
    opened.unshift(context.standing, context.words, gateway, context.pictures)
    if (config.mode === 'production') await refuseSandboxInProduction(context)
    else await seedSandbox(context)
    await context.words.refresh()
    await context.standing.begin()
    const operatorToken = bootstrapToken(config)
    const open = publicServer(context, offered(context))
    servePictures(open, context)
    serveNotifications(open, context)
    serveReference(open, offered(context))
    const operator = operatorServer(context, operatorToken.token)
    opened.unshift(await startSweeper(context, sweepEveryMs))
    opened.unshift(listener(open), listener(operator))
    await operator.listen(config.operator)
    await open.listen({ host: config.public.host, port: config.public.port })
    const housekeeping = setInterval(() => keepHouse(context), HOUSEKEEPING_MS).unref()
    return {
      publicUrl: addressOf(open, config.tls === null ? 'http' : 'https', config.public.host),
      operatorUrl: addressOf(operator, 'http', config.operator.host),
      operatorToken,
      context,
      async close() {
        clearInterval(housekeeping)
        await closeAll(opened)
      },
    }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

function offered(context: Context): Operation[] {
  return allOperations.filter((operation) => context.sessions !== null || !sessionOperations.includes(operation))
}

export function openDatabase(config: Config, observe: StatementObserver = () => {}): Database {
  return config.databaseUrl === null
    ? openSqlite(join(config.dataFolder, 'paddock.db'), observe)
    : openPostgres({ url: config.databaseUrl, observe })
}

type Opened = { log: Log; now: () => number; metrics: Metrics; database: Database; gateway: Gateway }

function createContext(config: Config, { log, now, metrics, database, gateway }: Opened): Context {
  const sessions = config.tickets.source === 'builtin' ? builtinSessions(database, now) : null
  const words = operatorWords(database, log)
  return {
    config,
    log,
    metrics,
    now,
    database,
    applications: applications(database, now, config.rateLimit),
    tickets: rememberedTickets(sessions ?? externalTickets(config, database, now), now),
    sessions,
    words,
    textRules: words.rules,
    pictures:
      config.pictures.store === 's3'
        ? s3Pictures(config.pictures.s3)
        : diskPictures(join(config.dataFolder, 'pictures')),
    mostFollowed: mostFollowed(database, config, now),
    profileIds: boundedCache(100_000, 3_600_000, now),
    feedPlaces: feedPlaces(now),
    standing: standingWork(database, log),
    gateway,
    dailyCounts: boundedCache(10_000, 3_600_000, now),
  }
}

function externalTickets(config: Config, database: Database, now: () => number): TicketSource {
  const { source, jwt, introspection, customerClaim } = config.tickets
  const provider =
    source === 'jwt'
      ? jwtTickets({ ...jwt, customerClaim }, now)
      : introspectionTickets({ ...introspection, customerClaim }, now)
  return ofKnownCustomers(provider, database)
}

async function keepHouse({ sessions, log }: { sessions: BuiltinSessions | null; log: Log }): Promise<void> {
  try {
    await sessions?.forgetExpired()
  } catch (error) {
    log.warn({ err: error }, 'housekeeping failed; it is tried again later')
  }
}

/** A connection that still serves a request when closing begins would otherwise be kept open for the next one. */
const CLOSE_IDLE_EVERY_MS = 50
/** Requests that take longer than this to finish are cut off. */
const LONGEST_CLOSING_MS = 15_000

function listener(app: FastifyInstance): { close(): Promise<void> } {
  return {
    async close() {
      const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
      const late = setTimeout(() => app.server.closeAllConnections(), LONGEST_CLOSING_MS)
      await app.close()
      clearInterval(idle)
      clearTimeout(late)
    },
  }
}

/** In the order given: listeners first, so that requests under way still find their database. */
async function closeAll(opened: { close(): unknown }[]): Promise<void> {
  for (const one of opened) await one.close()
}

function addressOf(app: FastifyInstance, scheme: string, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
