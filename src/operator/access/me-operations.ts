import { mayCall } from '../server/call-roles.ts'
import { type OperatorOperation, operatorOperation } from '../server/operation.ts'
import { me } from './schemas.ts'

/** So that a client of any role offers exactly the calls that it may make on this server. */
export function meOperation(others: readonly OperatorOperation[]) {
  return operatorOperation({
    name: 'readMe',
    summary: 'Read who I am and which calls I may make',
    route: 'GET /me',
    role: 'any',
    answer: { 200: me },
    handle: (_context, { operator }) => ({
      name: operator.name,
      role: operator.role,
      calls: others.filter((row) => mayCall(operator, row)).map((row) => `${row.method} ${row.path}`),
    }),
  })
}
