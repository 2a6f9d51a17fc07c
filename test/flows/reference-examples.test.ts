// Every request that the reference shows works in the sandbox as it is copied.

import { beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../src/http/operation.ts'
import { allOperations } from '../../src/service.ts'
import { curlRequest, shellWords } from '../harness/curl.ts'
import { caughtUp } from '../harness/notifications.ts'
import { boardUpToDate } from '../harness/records.ts'
import { textOf, useService } from '../harness/service.ts'
import { logged } from '../harness/tip-log.ts'

const service = useService({ SANDBOX_SEED: 'on', LOG_LEVEL: 'silent' })
let page = ''

beforeAll(async () => {
  await caughtUp(service.context.database)
  await boardUpToDate(service)
  await logged(service.context.database)
  page = await (await fetch(`${service.publicUrl}/docs`)).text()
})

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What the Copy button of a sample copies. */
function sample(id: string): string {
  const [, text] = new RegExp(`<pre id="${id}"[^>]*><code>([^<]*)</code>`).exec(page) ?? []
  expect(text, id).toBeDefined()
  return (text as string).replace(/&(#?\w+);/g, (_whole, name) => ENTITIES[name] as string)
}

/** A command of a pipe passes on its answer. */
async function run(pipe: string): Promise<Response> {
  let response: Response | undefined
  for (const command of pipe.split(' | ')) {
    const input = response === undefined ? undefined : new Uint8Array(await response.arrayBuffer())
    const { url, ...request } = curlRequest(shellWords(command), input)
    expect(url).toMatch(/^http:\/\/localhost:8080\//)
    response = await fetch(url.replace('http://localhost:8080', service.publicUrl), request as RequestInit)
  }
  return response as Response
}

async function works({ name, answer }: Operation): Promise<void> {
  const response = await run(sample(`${name}-curl`))
  const text = await textOf(response)
  expect([name, response.status, text]).toEqual([name, answer.status, expect.not.stringContaining('whoFaults')])
}

test('the first request works', async () => {
  const response = await run(sample('first-request'))
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"whoProfiles"')])
})

test.each(allOperations.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) =>
  works(operation),
)

/** One bet takes one live tip. */
const ONCE = ['createCommentOnOutcomeId']

test.each(
  allOperations.filter(({ name }) => !ONCE.includes(name)).map((operation) => [operation.name, operation] as const),
)('%s, copied again', (_name, operation) => works(operation))
