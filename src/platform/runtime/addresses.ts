import { BlockList, isIP, isIPv6 } from 'node:net'

/** A list of addresses (10.0.0.1, ::1) and networks (10.0.0.0/8). */
export function addressList(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const one of addresses) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(one) ?? []
    const most = isIP(address) === 6 ? 128 : 32
    const prefix = Number(bits ?? most)
    if (isIP(address) === 0 || prefix > most) {
      throw new Error('write addresses (10.0.0.1) or networks (10.0.0.0/8), separated by commas')
    }
    list.addSubnet(address, prefix, familyOf(address))
  }
  return list
}

export function isListed(address: string | undefined, list: BlockList | null): boolean {
  return address !== undefined && list?.check(address, familyOf(address)) === true
}

/** An IPv4 address that comes through an IPv6 socket (::ffff:10.0.0.1), written as IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

/** What limits count as one client: one with IPv6 usually has a whole /64. */
export function networkOf(address: string): string {
  return isIPv6(address) ? `${firstHalf(address)}/64` : address
}

function firstHalf(address: string): string {
  const [before = '', after] = address.split('::')
  const groups = before === '' ? [] : before.split(':')
  const rest = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? [] : new Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':')
}

const PRIVATE = addressList([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
])

/** An address of this machine or of a private network. Host names other than localhost do not count: they may be anywhere. */
export function isPrivateAddress(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && isListed(host, PRIVATE))
}

const LOOPBACK = addressList(['127.0.0.0/8', '::1', '::ffff:127.0.0.0/104'])

export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && isListed(address, LOOPBACK)
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
