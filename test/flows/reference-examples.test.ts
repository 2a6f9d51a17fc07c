// Every request that the reference shows works in the sandbox as it is copied, with curl and in TypeScript.

import { beforeAll, expect, test } from 'vitest'
import { Paddock } from '../../clients/typescript/src/index.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import { allOperations } from '../../src/operations.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { curlRequest, shellWords } from '../harness/curl.ts'
import { isEachChange } from '../harness/each-change.ts'
import { caughtUp } from '../harness/notifications.ts'
import { boardUpToDate } from '../harness/records.ts'
import { CLIENT_SAMPLES, sampleOf } from '../harness/reference-samples.ts'
import { runTypeScript, Stopped } from '../harness/run-typescript.ts'
import { startTestService, textOf, useService } from '../harness/service.ts'
import { logged } from '../harness/tip-log.ts'

const service = useService({ SANDBOX_SEED: 'people', LOG_LEVEL: 'silent' })
/** All pages that have samples. */
let page = ''

beforeAll(async () => {
  await caughtUp(service.context.database)
  await boardUpToDate(service)
  await logged(service.context.database)
  const names = ['getting-started', 'client', ...allOperations.map(({ name }) => name)]
  for (const name of names) page += await (await fetch(`${service.publicUrl}/docs/${name}`)).text()
})

/** A command of a pipe passes on its answer. */
async function run(pipe: string, origin = service.publicUrl): Promise<Response> {
  let response: Response | undefined
  for (const command of pipe.split(' | ')) {
    const input = response === undefined ? undefined : new Uint8Array(await response.arrayBuffer())
    const { url, ...request } = curlRequest(shellWords(command), input)
    expect(url).toSatisfy((text) => text.startsWith(`${origin}/`))
    response = await fetch(url, request as RequestInit)
  }
  return response as Response
}

async function works({ name, answer }: Operation): Promise<void> {
  // What was deposited before is captured within a second.
  if (name === 'makeWithdrawal') await sweep(service.context)
  const response = await run(sampleOf(page, `${name}-curl`))
  const text = await textOf(response.headers, response.body)
  expect([name, response.status, text]).toEqual([name, answer.status, expect.not.stringContaining('whoFaults')])
}

test('the first request works', async () => {
  const response = await run(sampleOf(page, 'first-request'))
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"whoProfiles"')])
})

test.each(allOperations.filter(({ locksOut }) => !locksOut).map((operation) => [operation.name, operation] as const))(
  'the samples of %s work',
  (_name, operation) => works(operation),
)

const lockingOut = allOperations.filter(({ locksOut }) => locksOut)

test.each(lockingOut.map(({ name }) => name))('the sample of %s works, and ends the session', async (name) => {
  const own = await startTestService({ SANDBOX_SEED: 'people', LOG_LEVEL: 'silent' })
  try {
    const pageOfIt = await (await fetch(`${own.publicUrl}/docs/${name}`)).text()
    const response = await run(sampleOf(pageOfIt, `${name}-curl`), own.publicUrl)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('excludedUntil')])
    own.clock.advance(5_000)
    expect((await own.call('GET', '/v1/profiles/me', { ticket: 'TGT-1-sandbox-alice' })).status).toBe(401)
  } finally {
    await own.close()
  }
})

/** One bet takes one live tip, a decision one appeal, a requested limit one confirmation. */
const ONCE = [...lockingOut.map(({ name }) => name), 'createCommentOnOutcomeId', 'appealDecision', 'confirmMyLimit']

test
  .runIf(!isEachChange)
  .each(
    allOperations.filter(({ name }) => !ONCE.includes(name)).map((operation) => [operation.name, operation] as const),
  )('%s, copied again', (_name, operation) => works(operation))

/** Returns the lines that the sample writes. A stream does not end: it is left at its first event. */
async function linesOf(id: string): Promise<string[]> {
  const code = sampleOf(page, id)
  const lines: string[] = []
  const log = (...words: unknown[]) => {
    lines.push(words.join(' '))
    if (/^for await \(const event /.test(code)) throw new Stopped()
  }
  const options = { baseUrl: service.publicUrl, apiKey: 'sandbox-key', secret: 'sandbox-secret' }
  const paddock = new Paddock({ ...options, ticket: 'TGT-1-sandbox-alice' })
  await runTypeScript(code, { console: { log }, ...(id === 'client-setup' ? {} : { paddock }) })
  return lines
}

test.each(allOperations.map(({ name }) => name).filter((name) => !ONCE.includes(name)))(
  '%s, in TypeScript',
  async (name) => {
    expect(await linesOf(`${name}-typescript`)).toHaveLength(name === 'openStream' ? 1 : 0)
  },
)

const WRITES: Record<string, string[]> = {
  'client-setup': [expect.stringMatching(/^Carol Cheltenham \d+ 20\d\d$/)],
  'client-customers': ['Bob Both Teams'],
  'client-faults': ['What a **** race'],
  'client-lists': expect.arrayContaining(['Bob Both Teams']),
  'client-money': [expect.stringMatching(/^\S*25\.00 [0-9a-f-]{36}$/)],
}
/** The operations above have read a stream; a webhook needs the operator. */
const NOT_RUN = ['client-stream', 'client-webhooks']

test.each(CLIENT_SAMPLES.filter((id) => !NOT_RUN.includes(id)))('%s, of the guide', async (id) => {
  expect(await linesOf(id)).toEqual(WRITES[id])
})
