import { beforeAll, describe, expect, test } from 'vitest'
import { ROLES } from '../../src/config/roles.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import { type OperatorReply, useService } from '../harness/service.ts'
import { caseOf, cases, newToken } from './cases.ts'

const service = useService()
const tokens: Record<string, string> = {}

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
    const allowed =
      row.role === 'any' ||
      role === 'admin' ||
      row.role.split(' or ').includes(role) ||
      (role === 'auditor' && row.method === 'GET')
    const { path, body, status } = await (allowed ? caseOf(service, row) : refusedCase())
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
