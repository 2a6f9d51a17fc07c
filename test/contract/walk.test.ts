// Walks over the table of operations: each is called without a key, with a wrong secret, without and with a dead ticket, in both
// representations, and with each fault that it declares, whose faultName must be a declared one. An operation or a fault without a
// case fails here.

import { describe, expect, test } from 'vitest'
import type { FaultKind } from '../../src/faults.ts'
import { declaredFaults } from '../../src/http/operations/declared-faults.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import { allOperations } from '../../src/operations.ts'
import { expectDocument, expectFault } from '../harness/answers.ts'
import { type CallOptions, useService } from '../harness/service.ts'
import type { Attempt } from './cases/case.ts'
import { cases } from './cases/cases.ts'

const service = useService()
const REPRESENTATIONS = ['application/xml', 'application/json']

function send(operation: Operation, attempt: Attempt, options: CallOptions) {
  const { path, ...rest } = attempt
  return service.call(operation.method, path, { ...rest, ...options })
}

/** The operation's own faults. A required ticket that is missing, or a dead one, has tests of its own. */
function provokedFaults(operation: Operation) {
  const withoutTicket = declaredFaults({ ...operation, ticket: 'none', keyInQuery: false })
  return withoutTicket.filter(({ shared }) => !shared)
}

/** `{id}` is replaced with its value in the path. */
function namesFor(operation: Operation, names: readonly string[], path: string): string[] {
  const written = path.split('?', 1)[0]?.split('/') ?? []
  const place = (name: string) => operation.path.split('/').indexOf(name)
  return names.map((name) => (name.startsWith('{') ? (written[place(name)] ?? '') : name))
}

test('no case is left over', () => {
  expect(Object.keys(cases).sort()).toEqual(allOperations.map((operation) => operation.name).sort())
})

describe.each(allOperations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const own = cases[name]
  const success = async (): Promise<Attempt> => {
    if (own === undefined) throw new Error('this operation has no case')
    return own.success(service)
  }
  let shared: Promise<Attempt> | undefined
  /** For calls that are refused before they change anything: one for all of them. */
  const refusedSuccess = (): Promise<Attempt> => {
    shared ??= success()
    return shared
  }
  const hasBody = operation.method !== 'HEAD'

  test.each(REPRESENTATIONS)('succeeds in %s', async (accept) => {
    const reply = await send(operation, await success(), { accept })
    const { status, document, stream } = operation.answer
    expect([reply.status, reply.text]).toEqual([status, expect.any(String)])
    if (stream !== undefined) expect(reply.text).toContain('event: ready')
    else if (document === null) expect(reply.text).toBe('')
    else expectDocument(reply, document)
  })

  const credentials: [string, CallOptions, FaultKind][] = [
    ['no key', { key: null }, 'apiKeyMissing'],
    ['an empty key', { key: '' }, 'apiKeyMissing'],
    ['no secret', { secret: null }, 'secretMissing'],
    ['an unknown key', { key: 'nobody' }, 'apiKeyInvalid'],
    ['a wrong secret', { secret: 'wrong' }, 'secretInvalid'],
  ]
  if (operation.credentials === 'none') {
    test.each([{ key: null, secret: null }, { key: 'nobody' }, { secret: 'wrong' }])(
      'needs no key: %o',
      async (given) => {
        expect((await send(operation, await success(), given)).status).toBe(operation.answer.status)
      },
    )
  }
  for (const [what, options, kind] of operation.credentials === 'none' ? [] : credentials) {
    test.each(REPRESENTATIONS)(`${what}, in %s`, async (accept) => {
      const reply = await send(operation, await refusedSuccess(), { ...options, accept })
      if (hasBody) expectFault(reply, operation.path, kind, '')
      else expect(reply.status).toBe(kind.endsWith('Missing') ? 400 : 401)
    })
  }

  if (operation.ticket !== 'none') {
    test.each(REPRESENTATIONS)('a dead ticket, in %s', async (accept) => {
      const reply = await send(operation, await refusedSuccess(), { ticket: 'TGT-1-dead-ticket', accept })
      expectFault(reply, operation.path, 'ticketInvalid', 'who-ticket')
    })
  }
  if (operation.ticket === 'required') {
    test.each(REPRESENTATIONS)('no ticket, in %s', async (accept) => {
      const { ticket: _, ...attempt } = await refusedSuccess()
      expectFault(await send(operation, attempt, { accept }), operation.path, 'missing', 'who-ticket')
    })
  }

  test('nothing that the caller accepts', async () => {
    const reply = await send(operation, await refusedSuccess(), { accept: 'text/html' })
    if (hasBody) expectFault(reply, operation.path, 'notAcceptable', 'accept')
    else expect(reply.status).toBe(406)
  })

  test('each other path of the contract serves it too', async () => {
    for (const path of operation.alsoAt ?? []) {
      const attempt = await success()
      const last = attempt.path.split('/').at(-1) as string
      const reply = await send(operation, { ...attempt, path: path.replace('{id}', last) }, {})
      expect(reply.status).toBe(operation.answer.status)
    }
  })

  if (hasBody) {
    for (const { kind, names } of provokedFaults(operation)) {
      test.each(REPRESENTATIONS)(`refuses with ${kind}, in %s`, async (accept) => {
        const provoked = [own?.faults[kind] ?? []].flat()
        if (provoked.length === 0) throw new Error(`nothing provokes ${kind} of ${name}`)
        const answered = new Set<string | undefined>()
        for (const provoke of provoked) {
          const { faultName, ...attempt } = await provoke(service)
          const fault = expectFault(await send(operation, attempt, { accept }), operation.path, kind, faultName)
          const declared = namesFor(operation, names, attempt.path)
          expect(declared.length === 0 ? [undefined] : declared).toContain(fault.faultName)
          answered.add(fault.faultName)
        }
        // Every name that the row declares must be provoked. Names of parameters are declared only where they are used.
        if (kind in operation.faults && names.length > 0) expect(answered.size).toBe(names.length)
      })
    }
  }
})
