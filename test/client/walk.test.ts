// The contract walk through the TypeScript client: every case of every operation, made by the client's method, has the outcome
// of the contract. Answers are compared with what their shape says of the same answer; answers of reads with their XML, too.

import { afterEach, describe, expect, test } from 'vitest'
import { type Paddock, PaddockError, PaddockFault } from '../../clients/typescript/src/index.ts'
import { type FaultKind, faultTable } from '../../src/faults.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import { allOperations } from '../../src/operations.ts'
import type { Attempt } from '../contract/cases/case.ts'
import { cases } from '../contract/cases/cases.ts'
import { clientOf, expectedAnswer } from '../harness/client.ts'
import { SECRET, useService } from '../harness/service.ts'

const service = useService()

/** The last answer that the client got. */
let last: { status: number; text: string } | undefined
afterEach(() => {
  last = undefined
})

async function recordingFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  last = { status: response.status, text: isStream ? '' : await response.clone().text() }
  return response
}

/** The parameters that stand for the path, the query and the body of an attempt. */
function parametersOf(operation: Operation, { path, headers = {}, body }: Attempt): Record<string, unknown> {
  const [written = '', query = ''] = path.split('?')
  const segments = written.split('/')
  const places = operation.path
    .split('/')
    .flatMap((name, place) => (name.startsWith('{') ? [[name.slice(1, -1), place] as const] : []))
  const lastEventId = headers['last-event-id']
  return {
    ...Object.fromEntries(places.map(([name, place]) => [name, decodeURIComponent(segments[place] ?? '')])),
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(typeof body === 'string' && operation.body === undefined ? Object.fromEntries(new URLSearchParams(body)) : {}),
    ...(operation.body === undefined ? {} : { [operation.body]: body }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
  }
}

type AnyMethod = (parameters: object) => Promise<unknown> & AsyncGenerator<unknown>

/** The result of the method; of a stream, its first event. */
async function run(operation: Operation, attempt: Attempt, secret = SECRET): Promise<unknown> {
  const { ticket } = attempt
  const settings = { fetch: recordingFetch, retries: 0, secret }
  const client = clientOf(service, { ...settings, ...(ticket === undefined ? {} : { ticket }) })
  const method = client[operation.name as keyof Paddock] as unknown as AnyMethod
  const result = method.call(client, parametersOf(operation, attempt))
  if (operation.answer.stream === undefined) return await result
  const { value } = await result.next()
  await result.return(undefined)
  return value
}

/** The client sends each parameter once, and well-formed: what is invalid otherwise cannot come from it. */
function canSend({ path }: Attempt): boolean {
  if (path.includes('?lastEventId=')) return false // It is sent as a header.
  const names = [...new URLSearchParams(path.split('?')[1]).keys()]
  return new Set(names).size === names.length && !/%[89a-f]/i.test(path)
}

describe.each(allOperations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const own = cases[name] as (typeof cases)[string]
  const { document, stream } = operation.answer

  test('answers', async () => {
    const attempt = await own.success(service)
    if (operation.credentials !== 'none') await refusesWrongSecret(operation, attempt)
    const value = await run(operation, attempt)
    if (stream !== undefined) expect(value).toEqual({ type: 'ready', position: expect.any(Number) })
    else if (document === null) expect(value).toBe(operation.method === 'HEAD' ? true : undefined)
    else expect(value).toStrictEqual(expectedAnswer(operation, last?.text as string))
    if (operation.method === 'GET' && document !== null) {
      const { path, ...options } = attempt
      const xml = await service.call('GET', path, { ...options, accept: 'application/xml' })
      expect(value).toStrictEqual(expectedAnswer(operation, xml.text))
    } else if (operation.method !== 'POST' || operation.repeatable) await isRepeatable(operation, attempt)
  })

  if (operation.method !== 'HEAD') {
    test.each(Object.keys(own.faults) as FaultKind[])('refuses with %s', async (kind) => {
      for (const provoke of [own.faults[kind] ?? []].flat()) {
        const { faultName, ...attempt } = await provoke(service)
        if (!canSend(attempt)) continue
        const error = await run(operation, attempt).then(
          (value) => expect.fail(`answered ${JSON.stringify(value)}`),
          (reason) => reason,
        )
        const { code, status } = faultTable[kind]
        expect(error).toBeInstanceOf(PaddockFault)
        expect(error).toMatchObject({ code, status, faultName, requestId: expect.any(String) })
        expect(error.faults).toHaveLength(1)
      }
    })
  }
})

async function refusesWrongSecret(operation: Operation, attempt: Attempt): Promise<void> {
  const error = await run(operation, attempt, 'wrong').catch((reason) => reason)
  // An answer to HEAD has no body, and so no code.
  const isHead = operation.method === 'HEAD'
  expect(error).toBeInstanceOf(isHead ? PaddockError : PaddockFault)
  expect(error).toMatchObject({ status: 401, ...(isHead ? {} : { code: '10020' }) })
}

/** The second answer is as good as the first, so that the client may repeat it. */
async function isRepeatable(operation: Operation, attempt: Attempt): Promise<void> {
  const first = last?.status
  await run(operation, attempt)
  expect(last?.status).toBe(first)
}
