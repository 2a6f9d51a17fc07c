// Reads what trusted proxies report about their clients: TLS or not, and the address.

import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isListed, networkOf, plainAddress } from '../../platform/runtime/addresses.ts'

export function isOverTls({ socket, headers }: IncomingMessage, trusted: BlockList | null): boolean {
  const protocols = headers['x-forwarded-proto']
  if (typeof protocols !== 'string' || !isListed(socket.remoteAddress, trusted)) {
    return (socket as TLSSocket).encrypted === true
  }
  // Each proxy appends its value, so that the last one is the trusted proxy's.
  return protocols.slice(protocols.lastIndexOf(',') + 1).trim() === 'https'
}

/** The address of the client: the last in x-forwarded-for that is not a trusted proxy, if a trusted proxy sent the header. */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: BlockList | null,
): string {
  let address = plainAddress(socket.remoteAddress ?? '')
  const forwarded = headers['x-forwarded-for']
  const before = typeof forwarded === 'string' ? forwarded.split(',').map((one) => one.trim()) : []
  while (isListed(address, trusted)) {
    const next = before.pop()
    if (next === undefined || isIP(next) === 0) break
    address = plainAddress(next)
  }
  return address
}

/** The part of the client's address that limits count as one client. */
export function clientNetwork(request: Pick<IncomingMessage, 'socket' | 'headers'>, trusted: BlockList | null): string {
  return networkOf(clientAddress(request, trusted))
}
