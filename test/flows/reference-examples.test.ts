// Every request that the reference shows works in the sandbox as it is copied.

import { beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../src/http/operation.ts'
import { allOperations } from '../../src/service.ts'
import { useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'on', LOG_LEVEL: 'silent' })
let page = ''

beforeAll(async () => {
  page = await (await fetch(`${service.publicUrl}/docs`)).text()
})

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What the Copy button of a sample copies. */
function sample(id: string): string {
  const [, text] = new RegExp(`<pre id="${id}"[^>]*><code>([^<]*)</code>`).exec(page) ?? []
  expect(text, id).toBeDefined()
  return (text as string).replace(/&(#?\w+);/g, (_whole, name) => ENTITIES[name] as string)
}

/** The words of a command line, as a shell reads those that the samples are made of. */
function words(line: string): string[] {
  const parts = line.replaceAll('\\\n', ' ').match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? []
  return parts.map((part) => part.replace(/'([^']*)'|\\(.)/g, (_whole, quoted, escaped) => quoted ?? escaped))
}

/** Does what curl does with its options. A command of a pipe passes on its answer. */
async function run(pipe: string): Promise<Response> {
  let response: Response | undefined
  for (const command of pipe.split(' | ')) {
    const [curl, ...rest] = words(command)
    expect(curl).toBe('curl')
    response = await curlWith(rest, response)
  }
  return response as Response
}

async function curlWith(options: string[], before: Response | undefined): Promise<Response> {
  const headers: Record<string, string> = {}
  const form: string[] = []
  let [method, address, body] = ['', '', undefined as Buffer | undefined]
  const take = () => options.shift() as string
  while (options.length > 0) {
    const option = take()
    if (option === '-X') method = take()
    else if (option === '--head') method = 'HEAD'
    else if (option === '-H') {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(take()) as RegExpExecArray
      headers[name as string] = value as string
    } else if (option === '-d') form.push(take())
    else if (option === '--data-binary') {
      expect(take()).toBe('@-')
      body = Buffer.from(await (before as Response).arrayBuffer())
    } else if (option !== '-s') {
      expect(option).toMatch(/^http:\/\/localhost:8080\//)
      address = option.replace('http://localhost:8080', service.publicUrl)
    }
  }
  if (form.length > 0) headers['content-type'] = 'application/x-www-form-urlencoded'
  const sent = form.length > 0 ? { body: form.join('&') } : body === undefined ? {} : { body: new Uint8Array(body) }
  return fetch(address, { method: method || (form.length > 0 ? 'POST' : 'GET'), headers, ...sent })
}

async function works({ name, answer }: Operation): Promise<void> {
  const response = await run(sample(`${name}-curl`))
  const text = await response.text()
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
