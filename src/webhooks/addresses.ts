// Where a webhook may go. Without these rules an operator, or whoever controls a name in the DNS, could make the service
// send requests into its own network.

import { type LookupAddress, lookup as lookupInSystem } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { addressList, isListed, isLoopbackAddress } from '../platform/runtime/addresses.ts'
import { readAsset } from '../platform/runtime/assets.ts'

/** IANA's special-purpose addresses (RFC 6890), multicast and what is reserved. */
const SPECIAL = readAsset<{ ipv4: readonly string[]; ipv6: readonly string[] }>('special-addresses.json')
/** IPv6 addresses that hold an IPv4 address: compatible, mapped, translated, NAT64. */
const IPV4_INSIDE = ['::', '::ffff:', '::ffff:0:', '64:ff9b::']

const NOT_PUBLIC = addressList([
  ...SPECIAL.ipv4,
  ...SPECIAL.ipv6,
  ...IPV4_INSIDE.flatMap((prefix) => SPECIAL.ipv4.map((network) => insideIpv6(prefix, network))),
])

function insideIpv6(prefix: string, network: string): string {
  const [address, bits] = network.split('/')
  return `${prefix}${address}/${96 + Number(bits)}`
}

export function isPublicAddress(address: string): boolean {
  // A zone (fe80::1%eth0) is only for addresses of this machine's networks.
  return isIP(address) !== 0 && !address.includes('%') && !isListed(address, NOT_PUBLIC)
}

/** The setting WEBHOOK_PRIVATE_ADDRESSES. `loopback`: beside public addresses those of this machine. */
export type PrivateAddresses = 'on' | 'loopback' | 'off'

function isAllowed(address: string, allowed: PrivateAddresses): boolean {
  return allowed === 'on' || isPublicAddress(address) || (allowed === 'loopback' && isLoopbackAddress(address))
}

/** What to do about a refusal. */
export const WHICH_SETTING = 'WEBHOOK_PRIVATE_ADDRESSES says what is allowed'

export type AddressRules = { readonly privateAddresses: PrivateAddresses; readonly httpsOnly: boolean }

/** What is wrong with an address; undefined: nothing that can be seen before its name is resolved. */
export function urlProblem(text: string, { privateAddresses, httpsOnly }: AddressRules): string | undefined {
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/webhooks'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://'
  if (url.protocol === 'http:' && httpsOnly) return 'must begin with https:// in production'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  const host = hostOf(url)
  const address = host === 'localhost' ? '127.0.0.1' : host
  if (isIP(address) !== 0 && !isAllowed(address, privateAddresses)) {
    return `must not be at ${host}, which is not a public address (${WHICH_SETTING})`
  }
  return undefined
}

/** IPv6 without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

// ---- Resolving names

/** Its name resolved to an address that is not public. */
export class AddressRefused extends Error {}

const RESOLVE_TIMEOUT_MS = 3_000

/**
 * For connections to names: the addresses that were checked are those that are connected to. All of them must be allowed,
 * because any of them may be tried.
 */
export function publicLookup(
  privateAddresses: PrivateAddresses,
  resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: 2 }),
): LookupFunction {
  return (name, options, callback) => {
    addressesOf(resolver, name).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !isAllowed(address, privateAddresses))
        const [first] = addresses
        if (refused !== undefined) callback(new AddressRefused(refused.address), '', 0)
        else if (options.all) callback(null, addresses)
        else if (first !== undefined) callback(null, first.address, first.family)
      },
      callback as (error: Error) => void,
    )
  }
}

/**
 * Queries the DNS without the threads that getaddrinfo needs: some names whose servers do not answer would occupy all four
 * of them, and with them password checks and files. Names that only this machine knows (/etc/hosts) are looked up after.
 */
async function addressesOf(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  if (/(^|\.)localhost\.?$/i.test(name)) return lookupAll(name)
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length > 0) return found
  const failure = [four, six].find((one) => one.status === 'rejected')?.reason
  if (failure?.code === 'ETIMEOUT') throw failure
  return lookupAll(name)
}

function lookupAll(name: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookupInSystem(name, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)))
  })
}
