// Sends every request that README.md shows, in order, to a service with the sandbox's customers, and compares the answers.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { curlRequest, shellWords } from './harness/curl.ts'
import { OPERATOR_TOKEN, startTestService, type TestService } from './harness/service.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** What stands after `$ ` in code blocks, with the answer below it. */
const commands = [...readme.matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
  `${block}`
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [, command = '', answer = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(text) ?? []
      return { command: command.replace(/\\\n\s*/g, ''), answer }
    }),
)
/** The shell functions that it defines, as the words that they stand for. */
const functions = new Map<string, string>()

let service: TestService
beforeAll(async () => {
  service = await startTestService({ SANDBOX_SEED: 'on', LOG_LEVEL: 'silent' })
})
afterAll(() => service.close())

test('README shows commands with answers', () => {
  expect(commands.filter(({ answer }) => answer !== '').length).toBeGreaterThan(5)
})

test.each(commands)('$command', async ({ command, answer }) => {
  const [, name, body] = /^(\w+)\(\) \{ (.*) "\$@"; \}$/.exec(command) ?? []
  if (name !== undefined) {
    functions.set(name, `${body}`)
    return
  }
  const { url, ...request } = curlRequest(wordsOf(command))
  const send = async () => {
    const reply = await fetch(url, request)
    const text = await reply.text()
    if (answer === '') expect([reply.status, text]).toEqual([204, ''])
    else expect(JSON.parse(withoutChance(text))).toEqual(JSON.parse(withoutChance(answer)))
  }
  // A notification comes a moment after its event.
  if ((request.method ?? 'GET') === 'GET') await vi.waitFor(send, { timeout: 20_000, interval: 50 })
  else await send()
})

/** A command may begin with a shell function that the README defined before. */
function wordsOf(command: string): string[] {
  const filled = command
    .replace('$(cat data/operator-token)', OPERATOR_TOKEN)
    .replace('http://127.0.0.1:8080', service.publicUrl)
    .replace('http://127.0.0.1:8081', service.operatorUrl)
  const [first = '', ...rest] = shellWords(filled)
  const body = functions.get(first)
  return body === undefined ? [first, ...rest] : [...wordsOf(body), ...rest]
}

/** Times, payment ids, tickets, secrets and positions of events differ each time. */
function withoutChance(answer: string): string {
  return answer
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3}(\+00:00|Z))?/g, 'time')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'payment')
    .replace(/TGT-\d+-\w{50}-paddock/g, 'ticket')
    .replace(/whsec_[\w+/=]+/g, 'secret')
    .replace(/evt_\d+_\w+/g, 'event')
    .replace(/("(?:position|next)": ?)\d+/g, '$1 0')
    .replace(/("(?:from|to)": ?)"\d{4}-\d\d-\d\d"/g, '$1 "date"')
    .replace(/("whoNotifications"[^{]*\{\s*"numUnread": ?"9",\s*"notification": ?\{\s*"id": ?)"\d+"/, '$1 "event"')
}
