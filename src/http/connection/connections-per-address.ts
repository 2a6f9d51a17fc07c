import type { Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import type { Log } from '../../platform/observability/log.ts'
import { isListed, networkOf, plainAddress } from '../../platform/runtime/addresses.ts'
import { budget } from '../../platform/runtime/slots.ts'

type AddressCap = { readonly most: number; readonly trustedProxies: BlockList | null; readonly log: Log }

/** Closes connections of one address beyond `most`; 0 is no limit. Trusted proxies serve many clients and have no limit. */
export function capConnectionsPerAddress(server: Server, { most, trustedProxies, log }: AddressCap): void {
  if (most === 0) return
  const open = budget(Number.POSITIVE_INFINITY, most, () => new Error('too many connections'))
  // One line each time that an address reaches the limit, not one for each connection.
  const logged = new Set<string>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isListed(remoteAddress, trustedProxies)) return
    const network = networkOf(plainAddress(remoteAddress))
    if (open.usedBy(network) >= most) {
      if (!logged.has(network))
        log.warn({ client: plainAddress(remoteAddress), most }, 'too many connections from one address')
      logged.add(network)
      socket.destroy()
      return
    }
    open.take(network, 1)
    socket.once('close', () => {
      open.release(network, 1)
      if (open.usedBy(network) < most / 2) logged.delete(network)
    })
  })
}
