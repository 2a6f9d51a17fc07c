// Which connections nobody can listen to: TLS to us, or to a proxy that we trust and that says so.

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
  const { remoteAddress = '' } = socket
  if (typeof told !== 'string' || !trusted?.check(remoteAddress, familyOf(remoteAddress))) {
    return (socket as TLSSocket).encrypted === true
  }
  // Where several proxies wrote, the last is the one that we know.
  return told.slice(told.lastIndexOf(',') + 1).trim() === 'https'
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
