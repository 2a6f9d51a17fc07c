// The service with workers, as `npm start` runs it: a supervisor and its worker processes.

import { spawn } from 'node:child_process'
import { type Agent, request } from 'node:http'
import { programEnvironment } from './program-environment.ts'
import { callOperator, OPERATOR_TOKEN, type OperatorReply, type Settings, type TestDatabase } from './service.ts'
import { paddockProgram } from './service-program.ts'
import { operatorOk } from './sportsbook.ts'
import { addCard } from './wallets.ts'

export type ReceivedReply = { status: number; text: string }
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type Json = any

export type ServiceWithWorkers = Awaited<ReturnType<typeof startServiceWithWorkers>>

export async function startServiceWithWorkers(testDatabase: TestDatabase, settings: Settings = {}) {
  const { child, output, ended } = await startProcess({ ...testDatabase.settings, ...settings })
  const urlAfter = (words: string) => new RegExp(`${words} (\\S+)`).exec(output.out)?.[1] ?? ''
  const url = urlAfter('listens on')
  const operatorUrl = urlAfter('operator listener is on')

  /** Each request on a connection of its own, so that requests spread over the workers. */
  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    sendOver(false, method, path, { headers, body })

  const sendOver = (
    agent: Agent | false,
    method: string,
    path: string,
    { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string },
  ) => sendRequest(url + path, { method, headers, body, agent })

  const operator = (method: string, path: string, body?: unknown): Promise<OperatorReply> =>
    callOperator(operatorUrl, method, path, { body })
  const succeeding = (method: string, path: string, body?: object) => operatorOk({ operator }, method, path, body)

  return {
    child,
    url,
    operatorUrl,
    output,
    ended,
    send,
    /** Over the connections of this agent. */
    sendOver,
    operator,
    /** A call of the operator API that must succeed. */
    operatorOk: succeeding,
    lines: (): Json[] => output.out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])),
    /** All workers so far, in the order in which they started. */
    pids: (): number[] =>
      [...output.out.matchAll(/"pid":(\d+),"msg":"a worker is serving"/g)].map((match) => Number(match[1])),
    ready: async (): Promise<Json> => (await fetch(`${operatorUrl}/health/ready`)).json(),
    metrics: async () => (await fetch(`${operatorUrl}/metrics`)).text(),
    /** A customer with a card and a ticket; the profile id too. */
    async member(id: number, token = 'sandbox:approve') {
      await succeeding('PUT', `/customers/${id}`, {})
      await addCard({ operator }, { id }, { id, token })
      const { ticket } = await succeeding('POST', `/customers/${id}/tickets`, {})
      const me = await send('GET', '/v1/profiles/me', { 'who-ticket': ticket })
      return {
        id,
        ticket: { 'who-ticket': ticket as string },
        profileId: Number(/<profile id="(\d+)"/.exec(me.text)?.[1]),
      }
    },
    deposit: (member: { id: number; ticket: Record<string, string> }) =>
      send(
        'POST',
        '/v1/wallets/me',
        { ...member.ticket, 'content-type': 'application/x-www-form-urlencoded' },
        `transactionType=deposit&amount=10.00&id=${member.id}&cv2=123`,
      ),
  }
}

/** The supervisor with its workers; ready when it listens, or ended. */
async function startProcess(settings: Settings) {
  const child = spawn(process.execPath, [paddockProgram, 'serve'], {
    env: {
      ...programEnvironment,
      PORT: '0',
      OPERATOR_PORT: '0',
      WORKERS: '2',
      SANDBOX_SEED: 'off',
      OPERATOR_TOKEN,
      ...settings,
    },
    cwd: settings.DATA_DIR,
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  )
  await waitUntil(() => /listener is on \S+/.test(output.out) || child.exitCode !== null)
  return { child, output, ended }
}

type Sent = { method: string; headers: Record<string, string>; body: string; agent: Agent | false }

function sendRequest(url: string, { method, headers, body, agent }: Sent): Promise<ReceivedReply> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': `${body.length}` }
    const all = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', ...headers, ...length }
    const sent = request(url, { method, headers: all, agent }, (reply) => {
      let text = ''
      reply.on('data', (chunk) => {
        text += chunk
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }))
      reply.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 30))
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
