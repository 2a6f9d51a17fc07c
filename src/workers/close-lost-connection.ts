import type { Worker } from 'node:cluster'

type Handle = { close?: () => void }
type Send = (message: unknown, handle?: Handle, ...more: unknown[]) => boolean

/**
 * node:cluster hands a connection to a worker and lets go of it when the worker says that it has it. If the worker dies
 * in between, nobody lets go: the client would wait for an answer until it gives up (seen at every second kill under
 * load). So we remember the last connection handed over, and close it when its worker ends; one that the worker had
 * said to have is closed on our side already, and closing it again does nothing.
 */
export function closeLostConnection(worker: Worker): void {
  const channel = worker.process as unknown as { send: Send }
  const send = channel.send
  let handed: Handle | undefined
  channel.send = (message, handle, ...more) => {
    if (handle?.close !== undefined) handed = handle
    return send.call(channel, message, handle, ...more)
  }
  worker.once('exit', () => handed?.close?.())
}
