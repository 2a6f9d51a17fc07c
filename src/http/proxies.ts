// What trusted proxies say of their clients: whether nobody can listen to the connection, and from where it comes.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** Addresses (10.0.0.1, ::1) and networks (10.0.0.0/8). */
export function trustedProxies(addresses: readonly string[]): BlockList {
  const trusted = new BlockList()
  for (const one of addresses) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(one) ?? []
    const most = isIP(address) === 6 ? 128 : 32
    const prefix = Number(bits ?? most)
    if (isIP(address) === 0 || prefix > most) {
      throw new Error('write addresses (10.0.0.1) or networks (10.0.0.0/8), separated by commas')
    }
    trusted.addSubnet(address, prefix, familyOf(address))
  }
  return trusted
}

export function isOverTls({ socket, headers }: IncomingMessage, trusted: BlockList | null): boolean {
  const told = headers['x-forwarded-proto']
  if (typeof told !== 'string' || !isTrusted(socket.remoteAddress, trusted)) {
    return (socket as TLSSocket).encrypted === true
  }
  // Where several proxies wrote, the last is the one that we know.
  return told.slice(told.lastIndexOf(',') + 1).trim() === 'https'
}

export function isTrusted(address: string | undefined, trusted: BlockList | null): boolean {
  return address !== undefined && trusted?.check(address, familyOf(address)) === true
}

/** The address of the client: the last in x-forwarded-for that is no trusted proxy's, where a trusted one wrote it. */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: BlockList | null,
): string {
  let address = plainAddress(socket.remoteAddress ?? '')
  const forwarded = headers['x-forwarded-for']
  const before = typeof forwarded === 'string' ? forwarded.split(',').map((one) => one.trim()) : []
  while (isTrusted(address, trusted)) {
    const next = before.pop()
    if (next === undefined || isIP(next) === 0) break
    address = plainAddress(next)
  }
  return address
}

/** An IPv4 address that comes through an IPv6 socket, written as one. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

const PRIVATE = trustedProxies([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
])

/** Of this machine or of a network that the internet does not reach. Names other than localhost may be anywhere. */
export function isPrivateAddress(host: string): boolean {
  if (host === 'localhost') return true
  return isIP(host) !== 0 && PRIVATE.check(host, familyOf(host))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
