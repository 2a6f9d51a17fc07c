// The service as it runs on two machines: the first with two workers and the address of HAProxy, the second with the addresses
// of all servers. Each reads from replicas.

import { join } from 'node:path'
import { SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/world/customers.ts'
import { run } from '../torture/processes.ts'
import type { Cluster } from './cluster.ts'
import { newFolder } from './programs.ts'
import type { Traffic } from './traffic.ts'
import { until } from './until.ts'

const OPERATOR_TOKEN = 'failover-operator-token-0123456789'
const main = new URL('../../src/main.ts', import.meta.url).pathname

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Json = any

/** `start`: of performance.now(). `age`: what x-read-age said, in seconds. */
export type Answer = { status: number; body: Json; start: number; age?: number | undefined }

export type Instance = Awaited<ReturnType<typeof startInstance>>

type Request = { ticket?: string; idempotencyKey?: string; body?: URLSearchParams; isDeposit?: boolean }

export async function startInstances(
  cluster: Cluster,
  folder: string,
  { staleSeconds, ...more }: { bankUrl: string; traffic: Traffic; log: string; staleSeconds: number },
) {
  const replicas = {
    DATABASE_REPLICA_URLS: cluster.nodes.map(cluster.nodeUrl).join(','),
    STALE_READS_UP_TO_SECONDS: `${staleSeconds}`,
  }
  const settings = [
    { DATABASE_URL: cluster.balancedUrl, DATABASE_PROBE_URL: cluster.probeUrl, WORKERS: '2', ...replicas },
    { DATABASE_URL: cluster.multiHostUrl, ...replicas },
  ]
  return Promise.all(settings.map((one, number) => startInstance({ ...more, number, folder, settings: one })))
}

type Start = {
  number: number
  folder: string
  settings: Record<string, string>
  bankUrl: string
  traffic: Traffic
  /** The number and .log are added. */
  log: string
}

async function startInstance({ number, folder, settings, bankUrl, traffic, log }: Start) {
  const environment = {
    PORT: '0',
    OPERATOR_PORT: '0',
    OPERATOR_TOKEN,
    SANDBOX_SEED: 'off',
    SANDBOX_GATEWAY_URL: bankUrl,
    GATEWAY_TIMEOUT_MS: '2000',
    DEPOSIT_LEASE_SECONDS: '5',
    VOID_GRACE_SECONDS: '5',
    LOG_LEVEL: 'warn',
    DATA_DIR: newFolder(folder, `service${number}-${Date.now()}`),
    NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    ...settings,
  }
  const program = await run(main, ['serve'], environment, `${log}-${number + 1}.log`)
  const address = (words: string) => new RegExp(`${words} (\\S+)`).exec(program.output())?.[1] as string
  const url = address('listens on')
  const operatorUrl = address('operator listener is on')

  return {
    number,
    url,
    ...clientOf({ number, url, operatorUrl, traffic }),
    ...healthOf(operatorUrl),
    stop: () => program.kill(),
  }
}

type Address = { number: number; url: string; operatorUrl: string; traffic: Traffic }

/** Its requests are recorded. */
function clientOf({ number, url, operatorUrl, traffic }: Address) {
  async function call(method: string, path: string, { ticket, idempotencyKey, body, isDeposit }: Request = {}) {
    const headers = {
      accept: 'application/json',
      'who-apiKey': SANDBOX_KEY,
      'who-secret': SANDBOX_SECRET,
      ...(ticket === undefined ? {} : { 'who-ticket': ticket }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    }
    const kind = method === 'GET' ? 'read' : isDeposit ? 'deposit' : 'write'
    return send(kind, method, url + path, { ticket, headers, ...(body === undefined ? {} : { body }) })
  }

  async function operator(method: string, path: string, body: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' }
    return send('write', method, `${operatorUrl}/operator/v1${path}`, { headers, body: JSON.stringify(body) })
  }

  async function send(
    kind: 'read' | 'write' | 'deposit',
    method: string,
    address: string,
    { ticket, ...request }: RequestInit & { ticket?: string | undefined },
  ): Promise<Answer> {
    const start = performance.now()
    const finish = traffic.begin(number, kind, `${method} ${address.replace(/^http:..[^/]*/, '')}`, ticket)
    try {
      const response = await fetch(address, { method, ...request, signal: AbortSignal.timeout(60_000) })
      const text = await response.text()
      const isRetryable = response.status === 503 && Number(response.headers.get('retry-after')) > 0
      const header = response.headers.get('x-read-age')
      const age = header === null ? undefined : Number(header)
      finish(isRetryable ? 503 : response.status === 503 ? 500 : response.status, text, age)
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text, start, age }
    } catch (error) {
      finish(0, String((error as Error).cause ?? error))
      return { status: 0, body: '', start }
    }
  }

  return {
    call,
    operator,
    async operatorOk(method: string, path: string, body: object): Promise<Json> {
      const { status, body: answer } = await operator(method, path, body)
      if (status === 0 || status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
      return answer
    },
  }
}

/** What operators look at. */
function healthOf(operatorUrl: string) {
  return {
    async ready(): Promise<{ code: number; status: string; leftOut?: string[] }> {
      const response = await fetch(`${operatorUrl}/health/ready`, { signal: AbortSignal.timeout(20_000) })
      return { code: response.status, ...((await response.json()) as { status: string }) }
    },
    /** 0 if there is none. */
    async metric(name: string): Promise<number> {
      const text = await (await fetch(`${operatorUrl}/metrics`)).text()
      const line = text.split('\n').find((one) => one.startsWith(`${name} `))
      return Number(line?.slice(name.length + 1) ?? 0)
    },
    async ledgerProblems(): Promise<string[]> {
      const response = await fetch(`${operatorUrl}/operator/v1/ledger/check`, {
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      })
      return ((await response.json()) as { problems: string[] }).problems
    },
  }
}

/** With all replicas but the primary in use. */
export async function untilReady(instances: readonly Instance[]): Promise<void> {
  for (const instance of instances) {
    await until(`instance ${instance.number + 1} is ready`, async () => {
      const { code, status, leftOut = [] } = await instance.ready()
      if (code === 200 && leftOut.length <= 1) return true
      throw new Error(`${status} ${leftOut.join('; ')}`)
    })
  }
}
