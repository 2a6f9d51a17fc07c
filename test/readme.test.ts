// Sends every request that README.md and its guides step by step show, in order, to a service with the sandbox's customers, and compares the
// answers. Opens the addresses that README.md names, and runs its TypeScript.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { curlRequest, shellWords } from './harness/curl.ts'
import { runTypeScript } from './harness/run-typescript.ts'
import { OPERATOR_TOKEN, startTestService, type TestService } from './harness/service.ts'

const GUIDES = ['tour', 'first-call', '3-d-secure', 'verify-a-webhook'].map((name) => `docs/${name}.md`)
const texts = ['README.md', ...GUIDES].map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
const [readme = ''] = texts

/** The code blocks of a language; '' for those without. */
function blocksIn(text: string, language: string): string[] {
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  return blocks.filter(([, name]) => name === language).map(([, , block]) => `${block}`)
}

/** What stands after `$ ` in code blocks, with the answer below it. */
const commands = texts
  .flatMap((text) => blocksIn(text, ''))
  .flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [, command = '', answer = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(text) ?? []
        return { command: command.replace(/\\\n\s*/g, ''), answer }
      }),
  )
/** What a command ends with to store its answer. */
const TEE = / \| tee (\S+)$/
/** Stored answers by file: the number in the document, and the one that the service gave; and its payment. */
const stored = new Map<string, { shown: string; given: string; payment: string | undefined }>()
/** The shell functions that it defines, as the words that they stand for. */
const functions = new Map<string, string>()

let service: TestService
beforeAll(async () => {
  service = await startTestService({ SANDBOX_SEED: 'on', LOG_LEVEL: 'silent' })
  await doSomethingBefore()
})
afterAll(() => service.close())

test('there are commands with answers, each of whose functions is defined before in the same document', () => {
  expect(commands.filter(({ answer }) => answer !== '').length).toBeGreaterThan(10)
  for (const text of texts) {
    for (const [, name = '', index] of [...text.matchAll(/^\$ (\w+) /gm)].map((match) => [...match, match.index])) {
      expect(text.indexOf(`$ ${name}() {`), `${name}`).toBeGreaterThan(-1)
      expect(text.indexOf(`$ ${name}() {`)).toBeLessThan(Number(index))
    }
  }
})

test('every address of README.md can be opened', async () => {
  const addresses = [...readme.matchAll(/<(http:\/\/127\.0\.0\.1:[^>]+)>/g)].map(([, address]) => `${address}`)
  expect(addresses.length).toBeGreaterThan(4)
  for (const address of addresses) {
    expect([address, (await fetch(onService(address))).status]).toEqual([address, 200])
  }
})

test('the TypeScript of README.md writes what its comment says', async () => {
  const [code = ''] = blocksIn(readme, 'ts')
  const [, expected] = /console\.log\(.*\) \/\/ (.*)$/m.exec(code) ?? []
  const lines: string[] = []
  await runTypeScript(onService(code), { console: { log: (...words: unknown[]) => lines.push(words.join(' ')) } })
  expect(lines).toEqual([expected])
})

test.each(commands)('$command', async ({ command, answer }) => {
  const [, name, body] = /^(\w+)\(\) \{ (.*) "\$@"; \}$/.exec(command) ?? []
  if (name !== undefined) {
    functions.set(name, `${body}`)
    return
  }
  const file = TEE.exec(command)?.[1]
  const { url, ...request } = curlRequest(wordsOf(command.replace(TEE, '')))
  const send = async () => {
    const reply = await fetch(url, request)
    const text = await reply.text()
    if (file !== undefined) {
      const payment = /"paymentId":"([^"]+)"/.exec(text)?.[1]
      stored.set(file, { shown: firstNumber(answer), given: firstNumber(text), payment })
    }
    if (answer === '') expect([reply.status, text]).toEqual([204, ''])
    else expect(JSON.parse(withoutChance(text))).toEqual(JSON.parse(withoutChance(asGiven(onService(answer)))))
  }
  // A notification comes a moment after its event.
  if ((request.method ?? 'GET') === 'GET') await vi.waitFor(send, { timeout: 20_000, interval: 50 })
  else await send()
})

/** Whoever takes the tour may have tried other things before: what they created has other ids than shown. */
async function doSomethingBefore(): Promise<void> {
  const headers = { 'who-ticket': 'TGT-2-sandbox-bob' }
  const { bets } = JSON.parse(await (await fetch(`${service.publicUrl}/sandbox/bets`, { headers })).text())
  const bet = bets.find((one: { tipped: boolean; outcome: { status: string } }) => {
    return !one.tipped && one.outcome.status === 'active'
  })
  const path = `/v1/communities/comments/me/outcomes/${bet.outcome.id}?betId=${bet.id}&text=Before+the+tour`
  const credentials = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret' }
  const reply = await fetch(service.publicUrl + path, { method: 'POST', headers: { ...headers, ...credentials } })
  expect(reply.status).toBe(200)
}

function firstNumber(text: string): string {
  return /\d+/.exec(text)?.[0] ?? ''
}

/** The answer of the document, with the ids that the service gave. */
function asGiven(answer: string): string {
  const numbers = new Map([...stored.values()].map(({ shown, given }) => [`"${shown}"`, `"${given}"`]))
  return answer.replace(/"\d+"/g, (number) => numbers.get(number) ?? number)
}

function onService(text: string): string {
  return text
    .replaceAll('http://127.0.0.1:8080', service.publicUrl)
    .replaceAll('http://127.0.0.1:8081', service.operatorUrl)
}

/** A command may begin with a shell function that was defined before. */
function wordsOf(command: string): string[] {
  const filled = onService(
    command
      .replace('$(cat data/operator-token)', OPERATOR_TOKEN)
      .replace(/\$\(number ([\w.]+)\)/g, (_, file) => stored.get(file)?.given ?? '')
      .replace(/\$\(payment ([\w.]+)\)/g, (_, file) => stored.get(file)?.payment ?? ''),
  )
  const [first = '', ...rest] = shellWords(filled)
  const body = functions.get(first)
  return body === undefined ? [first, ...rest] : [...wordsOf(body), ...rest]
}

/** Times, payment ids, tickets, secrets, pictures and positions of events differ each time. */
function withoutChance(answer: string): string {
  return answer
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3}(\+00:00|Z))?/g, 'time')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'payment')
    .replace(/TGT-\d+-\w{50}-paddock/g, 'ticket')
    .replace(/whsec_[\w+/=]+/g, 'secret')
    .replace(/\/pictures\/[0-9a-f]{32}\.(png|jpg)/g, 'picture')
    .replace(/evt_(test_)?\d+_\w+/g, 'event')
    .replace(/("(?:position|next)": ?)\d+/g, '$1 0')
    .replace(/("(?:from|to)": ?)"\d{4}-\d\d-\d\d"/g, '$1 "date"')
    .replace(/("numUnread": ?)"\d+"/, '$1 "0"')
    .replace(/("whoNotifications"[^{]*\{\s*"numUnread": *"\d+",\s*"notification": ?\{\s*"id": ?)"\d+"/, '$1 "event"')
}
