// Starts the real service on a database of its own, on the engine that the suite runs on, and calls it over HTTP.

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type pg from 'pg'
import { type Dispatcher, request } from 'undici'
import { afterAll, beforeAll, inject } from 'vitest'
import { type CustomerInput, putCustomer } from '../../src/identity/customers/customer.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { type Database, UniqueViolation } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { type Service, startService } from '../../src/service.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import { newDataFolder } from './data-folder.ts'
import { expectDeclaredFault } from './declared-faults.ts'
import { checkOperatorAnswer } from './operator-answers.ts'
import { connectTo } from './postgres.ts'
import { noteStatements } from './run-statements.ts'
import { copyMigratedSqlite } from './sqlite-template.ts'
import { allStatementCounts, statementCounts, totalStatements } from './statement-counts.ts'

export const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

export const KEY = 'test-key'
export const SECRET = 'test-secret'
export const OPERATOR_TOKEN = 'test-operator-token-0123456789'

export type Settings = Record<string, string>

/** Database and data folder of a service; several services may share them. */
export type TestDatabase = { settings: Settings; remove(): Promise<void> }

/** The schema is there already, unless the database is to be `empty`. */
export async function newTestDatabase(schema: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const folder = newDataFolder()
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  if (engine === 'sqlite') {
    if (schema === 'migrated') await copyMigratedSqlite(folder)
    return { settings: { DATA_DIR: folder }, remove: async () => removeFolder() }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = schema === 'migrated' ? inject('postgresTemplate') : 'template1'
  await administrate(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return {
    settings: { DATA_DIR: folder, DATABASE_URL: url.href },
    async remove() {
      await administrate(`drop database ${name} with (force)`)
      removeFolder()
    },
  }
}

let administration: Promise<pg.Client> | undefined

/** On one connection for all suites of this process: a new one costs as much as the statement. */
async function administrate(sql: string): Promise<void> {
  administration ??= connectTo(inject('postgresUrl'))
  await (await administration).query(sql)
}

/** No test asserts a time: on a busy machine a statement takes longer than a service waits for it. */
const PATIENCE = { statementTimeoutMs: 300_000, connectTimeoutMs: 300_000, maxBeatMs: 300_000 }

type Clock = { now: () => number; advance(milliseconds: number): void; hold(): void }

/** Real time that a test can move forward, or hold, so that caches do not expire. */
function movableClock(): Clock {
  let ahead = 0
  let held: number | undefined
  return {
    now: () => (held ?? Date.now()) + ahead,
    advance(milliseconds) {
      ahead += milliseconds
    },
    hold() {
      held ??= Date.now()
    },
  }
}

export type TestService = Service & {
  /** How many statements were run for requests so far. */
  statements(): number
  /** The same, of each name. */
  statementsByName(): Map<string, number>
  clock: Clock
  logged(): string
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  operator(method: string, path: string, body?: unknown, token?: string | null): Promise<OperatorReply>
  /** A new customer with a ticket, without a profile. */
  customer(input?: CustomerInput): Promise<TestCustomer>
  /** A new customer with a profile. */
  member(input?: CustomerInput): Promise<TestCustomer & { profileId: number }>
}

export type TestCustomer = { id: number; ticket: string }

export type CallOptions = {
  ticket?: string
  accept?: string | null
  key?: string | null
  secret?: string | null
  headers?: Record<string, string>
  body?: string | Buffer
}

export type Reply = { status: number; headers: Headers; text: string; json: () => Json }
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
export type Json = any
export type OperatorReply = { status: number; headers: Headers; body: Json }

// Above the ids that suites choose themselves: all suites of a process share this counter.
let customers = 10_000_000

/**
 * `sweeps`: deposits are swept and `webhooks`: events are sent to endpoints, as outside of tests. `matchDaySecondMs`: how long a second of the sandbox's match day
 * takes. `gateway`, `database`: calls of these go through it.
 */
export type ServiceOptions = {
  sweeps?: boolean
  webhooks?: boolean
  matchDaySecondMs?: number
  gateway?: (port: Gateway) => Gateway
  database?: (port: Database) => Database
}

/** A service on `testDatabase` (its own when not given), with the test application in it. */
export async function startTestService(
  settings: Settings = {},
  testDatabase?: TestDatabase,
  { sweeps = false, webhooks = false, matchDaySecondMs = 1_000, ...ports }: ServiceOptions = {},
): Promise<TestService> {
  const home = testDatabase ?? (await newTestDatabase())
  const lines: string[] = []
  const clock = movableClock()
  const config = readConfig({
    PORT: '0',
    OPERATOR_PORT: '0',
    SANDBOX_SEED: 'off',
    OPERATOR_TOKEN,
    ...home.settings,
    ...settings,
  })
  const service = await startService(config, {
    log: createLog(config.logLevel, (text) => lines.push(text.toString()), 0),
    now: clock.now,
    // Tests sweep when they want to (harness/wallets.ts), so that no other statements are counted.
    ...(sweeps ? {} : { sweepEveryMs: 3_600_000 }),
    dispatchEveryMs: webhooks ? 50 : 3_600_000,
    matchDaySecondMs,
    // A server that a test brings along may be one that does not answer.
    databasePatience: settings.DATABASE_URL === undefined ? PATIENCE : {},
    observePorts: { database: (port) => port, gateway: (port) => port, ...ports },
  })
  const { context } = service
  await addTestApplication(context)

  const customer = (input?: CustomerInput) => createCustomer(context, input, clock.now)

  return {
    ...service,
    clock,
    statements: () => totalStatements(context.metrics.render()),
    statementsByName: () => statementCounts(context.metrics.render()),
    logged: () => lines.join(''),
    async call(method, path, options) {
      const reply = await call(service.publicUrl, method, path, options)
      expectDeclaredFault(method, path, reply)
      return reply
    },
    operator: (method, path, body, token) => callOperator(service.operatorUrl, method, path, { body, token }),
    customer,
    async member(input) {
      const created = await customer(input)
      const reply = await call(service.publicUrl, 'GET', '/v1/profiles/me', {
        ticket: created.ticket,
        accept: 'application/json',
      })
      return { ...created, profileId: Number(reply.json().whoProfiles[0].profile.id) }
    },
    async close() {
      await service.close()
      if (engine === 'postgres') noteRun(context.metrics.render())
      if (testDatabase === undefined) await home.remove()
    },
  }
}

function noteRun(metrics: string): void {
  noteStatements(inject('postgresStatements'), 'run', allStatementCounts(metrics).keys())
}

async function addTestApplication({ applications }: Service['context']): Promise<void> {
  if ((await applications.find(KEY)) === undefined) {
    const fixed = { apiKey: KEY, secret: SECRET }
    const making = applications.create({ name: 'Tests', perSecond: null, perMinute: null, fixed })
    // Another service that starts on the same database may be first.
    await making.catch((error) => {
      if (!(error instanceof UniqueViolation)) throw error
    })
  }
}

/** One who is not active has an earlier ticket, which is still cached for some seconds. */
async function createCustomer(
  context: Service['context'],
  { status = 'active', ...input }: CustomerInput = {},
  now: () => number,
): Promise<TestCustomer> {
  const id = ++customers
  await putCustomer(context.database, id, input, now())
  const ticket = (await context.sessions?.issue(id, null))?.ticket ?? ''
  if (status !== 'active') {
    if (ticket !== '') await context.tickets.identify(ticket)
    await putCustomer(context.database, id, { status }, now())
  }
  return { id, ticket }
}

/** One service for a test file, closed after it. */
export function useService(settings: Settings = {}, options: ServiceOptions = {}): TestService {
  const holder: { service?: TestService } = {}
  beforeAll(async () => {
    holder.service = await startTestService(settings, undefined, options)
  })
  afterAll(async () => {
    await holder.service?.close()
  })
  return new Proxy({} as TestService, {
    get: (_target, name) => (holder.service as TestService)[name as keyof TestService],
  })
}

export async function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const headers: Record<string, string> = { ...options.headers }
  const { key = KEY, secret = SECRET, ticket, accept } = options
  if (key !== null) headers['who-apiKey'] = key
  if (secret !== null) headers['who-secret'] = secret
  if (ticket !== undefined) headers['who-ticket'] = ticket
  if (accept) headers.accept = accept
  return send(url + path, { method, headers, ...(options.body === undefined ? {} : { body: options.body }) })
}

type Sent = { method: string; headers: Record<string, string>; body?: string | Uint8Array }

/** With the headers of `fetch`, but uncompressed: `fetch` itself took a tenth of the processor time of the suites. */
async function send(url: string, { method, headers, body }: Sent): Promise<Reply> {
  const type = typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {}
  const response = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: { accept: '*/*', ...type, ...headers },
    body: body ?? null,
  })
  const received = new Headers()
  for (const [name, value = ''] of Object.entries(response.headers)) {
    for (const one of [value].flat()) received.append(name, one)
  }
  const text = await textOf(received, response.body)
  return { status: response.statusCode, headers: received, text, json: () => JSON.parse(text) }
}

/** The body; of a stream, its beginning up to the first event. */
export async function textOf(headers: Headers, body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    if (isStream && /^data:.*\n\n/m.test(Buffer.concat(chunks).toString())) break
  }
  return Buffer.concat(chunks).toString()
}

type OperatorOptions = { body?: unknown; token?: string | null | undefined; headers?: Record<string, string> }

export async function callOperator(
  url: string,
  method: string,
  path: string,
  { body, token = OPERATOR_TOKEN, headers: more }: OperatorOptions = {},
): Promise<OperatorReply> {
  const headers: Record<string, string> = { ...more }
  if (token !== null) headers.authorization = `Bearer ${token}`
  const isFeed = body instanceof Uint8Array
  if (body !== undefined) headers['content-type'] = isFeed ? 'application/x-ndjson' : 'application/json'
  const isText = isFeed || typeof body === 'string'
  const sent = body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }
  const { status, headers: received, text } = await send(url + path, { method, headers, ...sent })
  const type = received.get('content-type') ?? ''
  checkOperatorAnswer(method, path, { status, type, text })
  const isJson = /json/.test(type)
  return { status, headers: received, body: isJson ? JSON.parse(text) : text }
}
