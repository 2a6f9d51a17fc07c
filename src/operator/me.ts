import { mayCall, type OperatorOperation, operatorOperation } from './frame/operation.ts'

/** So that a client of any role offers exactly what its token may do on this server. */
export function meOperation(others: readonly OperatorOperation[]): OperatorOperation {
  return operatorOperation({
    name: 'readMe',
    summary: 'Whose token this is, its role, and the calls that it may make',
    method: 'GET',
    path: '/me',
    role: 'any',
    handle: async (_context, { operator }) => ({
      status: 200,
      body: {
        name: operator.name,
        role: operator.role,
        calls: others.filter((row) => mayCall(operator, row)).map((row) => `${row.method} ${row.path}`),
      },
    }),
  })
}
