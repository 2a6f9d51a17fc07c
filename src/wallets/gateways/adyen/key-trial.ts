import type { KeyTrial } from '../gateway.ts'
import type { GatewayResponse } from '../http-client.ts'
import { reasonOf } from './answers.ts'

type Unknown = { readonly outcome: 'unknown'; readonly reason: string }

/** 401 and 403 refuse the key or its rights; 422 an account that is none of its own. */
const REFUSED = [401, 403, 422]

export function keyTrial(what: string, reply: GatewayResponse | Unknown): KeyTrial {
  if ('outcome' in reply) return { what, outcome: 'unknown', reason: reply.reason }
  const { status, date } = reply
  if (status === 200) return { what, outcome: 'accepted', reason: '', date }
  return { what, outcome: REFUSED.includes(status) ? 'refused' : 'unknown', reason: reasonOf(reply), date }
}
