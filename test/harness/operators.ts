// Operators who are different persons, for what needs two of them.

import type { OperatorReply, TestService } from './service.ts'

export type TestOperator = ((method: string, path: string, body?: unknown) => Promise<OperatorReply>) & {
  readonly token: string
}

let names = 0

/** By a token of its own, whose owner is `name`. Two of one name are one person. */
export async function operatorNamed(
  service: Pick<TestService, 'operator'>,
  name: string,
  role = 'admin',
): Promise<TestOperator> {
  const body = { name: `${name} ${++names}`, role, owner: name }
  const { token } = (await service.operator('POST', '/operator/v1/tokens', body)).body as { token: string }
  const call = (method: string, path: string, sent?: unknown) => service.operator(method, path, sent, token)
  return Object.assign(call, { token })
}
