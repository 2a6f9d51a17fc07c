// Names whose DNS answers lead to this machine, or change between the check and the connection: real lookups of a DNS server that the
// test runs, real connections.

import { Resolver } from 'node:dns/promises'
import { connect, createServer, type LookupFunction, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AddressRefused, type PrivateAddresses, publicLookup } from '../../src/webhooks/addresses.ts'
import { createSender } from '../../src/webhooks/sender.ts'
import { type DnsServer, startDnsServer } from '../harness/dns-server.ts'

const PUBLIC = '93.184.215.14'
const PUBLIC_6 = '2606:4700::1111'

/** By name, the addresses. */
const NAMES: { readonly [name: string]: readonly string[] } = {
  'loopback.test': ['127.0.0.1'],
  'loopback-6.test': ['::1'],
  'mapped.test': ['::ffff:7f00:1'],
  'metadata.test': ['169.254.169.254'],
  'private.test': ['10.0.0.1'],
  'unspecified.test': ['0.0.0.0'],
  'one-of-two.test': [PUBLIC, '127.0.0.1'],
  'other-kind.test': [PUBLIC, '::1'],
  'public.test': [PUBLIC, PUBLIC_6],
}
/** By name, the addresses of the first answer, of the second one, and so on. */
const CHANGING: { readonly [name: string]: readonly (readonly string[])[] } = {
  'changes.test': [[PUBLIC], ['127.0.0.1']],
  'comes-back.test': [['127.0.0.1'], [PUBLIC]],
}

let dns: DnsServer
let connections = 0
const receiver = createServer((socket) => {
  connections++
  socket.destroy()
})
let port = 0

beforeAll(async () => {
  dns = await startDnsServer((name, asked) => NAMES[name] ?? CHANGING[name]?.[asked])
  await new Promise<void>((resolve) => receiver.listen(0, resolve))
  port = (receiver.address() as { port: number }).port
})
beforeEach(() => {
  connections = 0
  dns.questions.length = 0
})
afterAll(() => {
  dns.close()
  receiver.close()
})

function lookup(privateAddresses: PrivateAddresses = 'off'): LookupFunction {
  const resolver = new Resolver()
  resolver.setServers([dns.address])
  return publicLookup(privateAddresses, resolver)
}

const sender = () => createSender({ privateAddresses: 'off', httpsOnly: false }, 20_000, 2, lookup())
const post = (name: string, by = sender()) =>
  by.post(`http://${name}:${port}/`, {}, '{}', new AbortController().signal).finally(() => by.close())

test.each([
  ['loopback.test', '127.0.0.1'],
  ['loopback-6.test', '::1'],
  ['mapped.test', '::ffff:127.0.0.1'],
  ['metadata.test', '169.254.169.254'],
  ['private.test', '10.0.0.1'],
  ['unspecified.test', '0.0.0.0'],
  ['one-of-two.test', '127.0.0.1'],
  ['other-kind.test', '::1'],
  ['comes-back.test', '127.0.0.1'],
])('nothing is sent to %s', async (name, address) => {
  const answer = await post(name)
  expect(answer).toMatchObject({
    status: null,
    error: `Not sent: the host name resolves to ${address}, which is not public (WEBHOOK_PRIVATE_ADDRESSES says what is allowed).`,
  })
  expect(connections).toBe(0)
})

/** The addresses that a connection was about to use; it is ended before it is made. */
async function addressesTried(name: string, autoSelectFamily: boolean): Promise<string[]> {
  const socket: Socket = connect({ host: name, port, autoSelectFamily, lookup: lookup() })
  const tried: string[] = []
  socket.on('lookup', (_error, address) => {
    tried.push(address)
    socket.destroy()
  })
  await new Promise((resolve) => socket.once('error', resolve).once('close', resolve))
  return tried
}

test.each([true, false])('what was checked is what is connected to: %s', async (autoSelectFamily) => {
  // The answer that comes after the check is the one of an attacker: nobody asks for it.
  expect(await addressesTried('changes.test', autoSelectFamily)).toEqual([PUBLIC])
  expect(dns.questions.toSorted()).toEqual(['A changes.test', 'AAAA changes.test'])
  const error = await new Promise((resolve) =>
    connect({ host: 'changes.test', port, autoSelectFamily, lookup: lookup() }).once('error', resolve),
  )
  expect(error).toBeInstanceOf(AddressRefused)
  expect(connections).toBe(0)
})

test('each connection is checked anew', async () => {
  expect(await post('comes-back.test')).toMatchObject({ error: expect.stringContaining('127.0.0.1') })
  expect(await addressesTried('comes-back.test', false)).toEqual([PUBLIC])
})

test('the receiver is there: where private addresses are allowed, it is connected to', async () => {
  const rules = { privateAddresses: 'on', httpsOnly: false } as const
  const answer = await post('loopback.test', createSender(rules, 20_000, 2, lookup('on')))
  expect(answer.error).toBe('The connection was closed without an answer.')
  expect(connections).toBe(1)
})

test('where those of this machine are allowed, no other private address is', async () => {
  const rules = { privateAddresses: 'loopback', httpsOnly: false } as const
  const sendTo = (name: string) => post(name, createSender(rules, 20_000, 2, lookup('loopback')))
  expect((await sendTo('loopback.test')).error).toBe('The connection was closed without an answer.')
  for (const name of ['private.test', 'metadata.test', 'unspecified.test'])
    expect([name, (await sendTo(name)).error]).toEqual([
      name,
      expect.stringMatching(/^Not sent: the host name resolves/),
    ])
  expect(connections).toBe(1)
})
