// Which role may make which call: roles.txt, which is read by people. `UPDATE_ROLES=1` writes it from the rows: read the diff.

import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { operatorOperations } from '../../src/operator/operations.ts'
import { rolesOf } from '../../src/operator/server/call-roles.ts'
import type { OperatorOperation } from '../../src/operator/server/operation.ts'
import { ROLES } from '../../src/platform/config/roles.ts'
import { type OperatorReply, useService } from '../harness/service.ts'
import { caseOf, cases, newToken } from './cases.ts'

const service = useService()
const tokens: Record<string, string> = {}

const FILE = new URL('./roles.txt', import.meta.url)
if (process.env.UPDATE_ROLES === '1') writeFileSync(FILE, matrixOf(operatorOperations))
const matrix = readFileSync(FILE, 'utf8')
const mayCall = permissionsIn(matrix)

function callOf({ method, path }: Pick<OperatorOperation, 'method' | 'path'>): string {
  return `${method} ${path}`
}

function matrixOf(rows: readonly OperatorOperation[]): string {
  const line = (call: string, cells: readonly string[]) =>
    `${call.padEnd(66)}${cells.map((cell) => cell.padEnd(14)).join('')}`.trimEnd()
  const calls = rows.map((row) =>
    line(
      callOf(row),
      ROLES.map((role) => (rolesOf(row).includes(role) ? 'yes' : '-')),
    ),
  )
  return `${[line('call', ROLES), ...calls.sort()].join('\n')}\n`
}

/** The roles of each call: "GET /me" → admin, feed … */
function permissionsIn(text: string): Map<string, string[]> {
  const [head = [], ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  const roles = head.slice(1)
  return new Map(lines.map(([call = '', ...cells]) => [call, roles.filter((_, index) => cells[index] === 'yes')]))
}

beforeAll(async () => {
  for (const role of ROLES) tokens[role] = (await newToken(service, role, `the ${role}`)).token
})

function expectProblem(reply: OperatorReply, status: number): void {
  expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(reply.body).toEqual({
    type: 'about:blank',
    title: expect.any(String),
    status,
    detail: expect.stringMatching(/\.$/),
  })
  expect(reply.status).toBe(status)
}

test('roles.txt has every call and every role', () => {
  expect(matrix.split('\n', 1)[0]?.split(/ {2,}/).slice(1)).toEqual([...ROLES])
  expect([...mayCall.keys()].sort()).toEqual(operatorOperations.map(callOf).sort())
})

test('every row has a case, and every case a row', () => {
  expect(Object.keys(cases).sort()).toEqual(operatorOperations.map((row) => row.name).sort())
})

describe.each(operatorOperations.map((row) => ({ row, name: row.name })))('$name', ({ row }) => {
  let shared: ReturnType<typeof caseOf> | undefined
  /** One for all calls that are refused: they change nothing. */
  const refusedCase = () => {
    shared ??= caseOf(service, row)
    return shared
  }

  test('is refused without a token or with an unknown one', async () => {
    const { path, body } = await refusedCase()
    for (const token of [null, 'no-such-token']) {
      const reply = await service.operator(row.method, path, body, token)
      expectProblem(reply, 401)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test.each(ROLES)('as %s', async (role) => {
    const allowed = mayCall.get(callOf(row))?.includes(role) ?? false
    const { path, body, status } = await (allowed ? caseOf(service, row, tokens[role]) : refusedCase())
    const reply = await service.operator(row.method, path, body, tokens[role])
    if (allowed) expect(reply.status).toBe(status)
    else {
      expectProblem(reply, 403)
      expect(reply.body.detail).toContain(`the token "the ${role}" has ${role}`)
    }
  })

  test('checks credentials before the body and the id', async () => {
    const { path } = await refusedCase()
    const wrong = path.replace(/\/\d+/, '/not-an-id')
    expectProblem(await service.operator(row.method, wrong, row.method === 'GET' ? undefined : '{', null), 401)
  })
})

test('other authorization schemes are refused', async () => {
  for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', 'Bearer a b', tokens.admin as string]) {
    const response = await fetch(`${service.operatorUrl}/operator/v1/audit`, { headers: { authorization } })
    expect([authorization, response.status]).toEqual([authorization, 401])
  }
})
