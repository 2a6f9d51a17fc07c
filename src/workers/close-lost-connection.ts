import type { Worker } from 'node:cluster'

type Handle = { close?: () => void }
type Send = (message: unknown, handle?: Handle, ...more: unknown[]) => boolean

/**
 * node:cluster passes a connection to a worker and closes its own handle when the worker confirms. If the worker dies in
 * between, the handle stays open and the client waits until it gives up (seen at every second kill under load). So the
 * last handle passed is closed when its worker ends; closing a confirmed one again does nothing.
 */
export function closeLostConnection(worker: Worker): void {
  const channel = worker.process as unknown as { send: Send }
  const send = channel.send
  let lastHandle: Handle | undefined
  channel.send = (message, handle, ...more) => {
    if (handle?.close !== undefined) lastHandle = handle
    return send.call(channel, message, handle, ...more)
  }
  worker.once('exit', () => lastHandle?.close?.())
}
