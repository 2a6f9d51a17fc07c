import type { Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Log } from '../../platform/observability/log.ts'
import { isListed, networkOf, plainAddress } from '../../platform/runtime/addresses.ts'

type AddressCap = { readonly most: number; readonly trustedProxies: BlockList | null; readonly log: Log }

/** Closes connections of one address beyond `most`; 0 is no limit. Trusted proxies serve many clients and have no limit. */
export function capConnectionsPerAddress(server: Server, { most, trustedProxies, log }: AddressCap): void {
  if (most === 0) return
  const counts = new Map<string, number>()
  // One line each time that an address reaches the limit, not one for each connection.
  const logged = new Set<string>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isListed(remoteAddress, trustedProxies)) return
    const network = networkOf(plainAddress(remoteAddress))
    const count = counts.get(network) ?? 0
    if (count >= most) {
      if (!logged.has(network))
        log.warn({ client: plainAddress(remoteAddress), most }, 'too many connections from one address')
      logged.add(network)
      socket.destroy()
      return
    }
    counts.set(network, count + 1)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
      if (left < most / 2) logged.delete(network)
    })
  })
}
