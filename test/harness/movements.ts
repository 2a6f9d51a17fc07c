// Movements of the sportsbook, one by one and as lines of a feed.

import type { Json, OperatorReply, TestService } from './service.ts'

export type TestMovement = {
  reference: string
  customerId: number
  kind: 'stake' | 'winnings' | 'void' | 'adjustment'
  amount: string
  betId?: number
}

let references = 0

export const newReference = (): string => `test-${process.pid}-${++references}`

type Operating = Pick<TestService, 'operator'>

export function move(service: Operating, movement: TestMovement): Promise<OperatorReply> {
  return service.operator('POST', '/operator/v1/movements', { ...movement, customerId: `${movement.customerId}` })
}

export function movementLine({ reference, ...data }: TestMovement): string {
  return JSON.stringify({ put: 'movement', id: reference, data })
}

/** The report of the feed. */
export async function sendLines(service: Operating, lines: readonly string[]): Promise<Json> {
  return (await service.operator('POST', '/operator/v1/feed', Buffer.from(`${lines.join('\n')}\n`))).body
}
