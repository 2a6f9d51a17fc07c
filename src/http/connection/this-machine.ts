import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress } from '../../platform/runtime/addresses.ts'

export const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Whether the request comes from this machine, through no proxy, to a name that means this machine: a page of another site could have
 * its own name lead here (DNS rebinding).
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (!isLoopbackAddress(socket.remoteAddress ?? '') || PROXY_HEADERS.some((name) => name in headers)) return false
  return LOCAL_HOSTS.includes(URL.parse(`http://${headers.host}`)?.hostname ?? '')
}

/** Whether a page of the same origin asks: browsers say so, and no page of another origin can. */
export function isFromOwnPage({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'same-origin'
}
