// The service with workers, as `npm start` runs it: a supervisor and its worker processes.

import { spawn } from 'node:child_process'
import { type Agent, request } from 'node:http'
import { callOperator, OPERATOR_TOKEN, type OperatorReply, type Place, type Settings } from './service.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname

export type ReceivedReply = { status: number; text: string }
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type Json = any

export type Supervised = Awaited<ReturnType<typeof startSupervised>>

export async function startSupervised(place: Place, settings: Settings = {}) {
  const { child, said, ended } = await startProcess({ ...place.settings, ...settings })
  const urlAfter = (words: string) => new RegExp(`${words} (\\S+)`).exec(said.out)?.[1] ?? ''
  const url = urlAfter('listens on')
  const operatorUrl = urlAfter('operator listener is on')

  /** Each request on a connection of its own, so that requests spread over the workers. */
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    askOver(false, method, path, { headers, body })

  const askOver = (
    agent: Agent | false,
    method: string,
    path: string,
    { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string },
  ) => send(url + path, { method, headers, body, agent })

  const tell = (method: string, path: string, body?: object) => callOperatorApi(operatorUrl, method, path, body)

  return {
    child,
    url,
    said,
    ended,
    ask,
    /** Over the connections of this agent. */
    askOver,
    tell,
    operator: (method: string, path: string, body?: unknown): Promise<OperatorReply> =>
      callOperator(operatorUrl, method, path, { body }),
    lines: (): Json[] => said.out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])),
    /** All workers so far, in the order in which they started. */
    pids: (): number[] =>
      [...said.out.matchAll(/"pid":(\d+),"msg":"a worker is serving"/g)].map((match) => Number(match[1])),
    ready: async (): Promise<Json> => (await fetch(`${operatorUrl}/health/ready`)).json(),
    metrics: async () => (await fetch(`${operatorUrl}/metrics`)).text(),
    /** A customer with a card and a ticket; the profile id too. */
    async member(id: number, token = 'sandbox:approve') {
      await tell('PUT', `/customers/${id}`, {})
      const card = { number: '411111******1111', expiryDate: '12/49', country: 'GB', scheme: 'VISA', funding: 'debit' }
      const limits = { minDeposit: '5.00', maxDeposit: '1000.00' }
      await tell('PUT', `/customers/${id}/payment-methods/${id}`, { type: 'CARD', token, limits, card })
      const { ticket } = await tell('POST', `/customers/${id}/tickets`, {})
      const me = await ask('GET', '/v1/profiles/me', { 'who-ticket': ticket })
      return {
        id,
        ticket: { 'who-ticket': ticket as string },
        profileId: Number(/<profile id="(\d+)"/.exec(me.text)?.[1]),
      }
    },
    deposit: (member: { id: number; ticket: Record<string, string> }) =>
      ask(
        'POST',
        '/v1/wallets/me',
        { ...member.ticket, 'content-type': 'application/x-www-form-urlencoded' },
        `transactionType=deposit&amount=10.00&id=${member.id}&cv2=123`,
      ),
  }
}

/** Must succeed. */
async function callOperatorApi(operatorUrl: string, method: string, path: string, body?: object): Promise<Json> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const reply = await fetch(`${operatorUrl}/operator/v1${path}`, { method, headers, ...sent })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply.status === 204 ? undefined : reply.json()
}

/** The supervisor with its workers; ready when it listens, or ended. */
async function startProcess(settings: Settings) {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      OPERATOR_PORT: '0',
      WORKERS: '2',
      SANDBOX_SEED: 'off',
      OPERATOR_TOKEN,
      ...settings,
    },
    cwd: settings.DATA_DIR,
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  )
  await until(() => /listener is on \S+/.test(said.out) || child.exitCode !== null)
  return { child, said, ended }
}

type Sent = { method: string; headers: Record<string, string>; body: string; agent: Agent | false }

function send(url: string, { method, headers, body, agent }: Sent): Promise<ReceivedReply> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': `${body.length}` }
    const all = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', ...headers, ...length }
    const asking = request(url, { method, headers: all, agent }, (reply) => {
      let text = ''
      reply.on('data', (chunk) => {
        text += chunk
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }))
      reply.on('error', reject)
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 30))
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The value of one metric, by its name and labels as they stand in the text. */
export function metric(metrics: string, name: string): number {
  const line = metrics.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? Number.NaN)
}
