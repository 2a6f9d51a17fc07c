// Sends a file to POST /operator/v1/feed of the running service, which applies it while it arrives.

import { createReadStream, readFileSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { Agent, fetch, type Response } from 'undici'
import { bootstrapToken } from '../identity/operators/bootstrap-token.ts'
import type { Config } from '../platform/config/config.ts'
import type { FeedReport } from '../sportsbook/feed.ts'
import { type Command, CommandError } from './command.ts'

const BAR_WIDTH = 40
const DRAW_EVERY_MS = 200
const SHOWN_REFUSALS = 20

export const sendFeed: Command = async (config, [file = '']) => {
  const size = sizeOf(file)
  const { tls, host, port } = config.operator
  const url = `${tls === null ? 'http' : 'https'}://${host}:${port}/operator/v1/feed`
  const response = await send(url, config, Readable.from(withProgress(createReadStream(file), size)))
  if (!response.ok) throw new CommandError(await refusal(url, response))
  return summary((await response.json()) as FeedReport)
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    throw new CommandError(`There is no file ${file}. Check the path.`)
  }
}

async function send(url: string, config: Config, body: Readable): Promise<Response> {
  const headers = {
    authorization: `Bearer ${bootstrapToken(config).token}`,
    'content-type': 'application/x-ndjson',
  }
  try {
    return await fetch(url, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      dispatcher: new Agent(tlsOptions(config)),
    })
  } catch (error) {
    throw new CommandError(`No service listens on ${url} with these settings: start it with "paddock serve".`, {
      cause: error,
    })
  }
}

async function refusal(url: string, response: Response): Promise<string> {
  const advice = response.status === 401 ? ' Set OPERATOR_TOKEN, or DATA_DIR, as for the service.' : ''
  return `${url} answered ${response.status}: ${await response.text()}${advice}`
}

/** Trusts only the certificate of the settings, whatever its name: the service is called by its address. */
function tlsOptions({ operator: { tls } }: Config): Agent.Options {
  if (tls === null) return {}
  const ca = readFileSync(tls.cert)
  return { connect: { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined } }
}

/** Draws a progress bar, on a terminal only. */
async function* withProgress(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let sent = 0
  let drawAt = 0
  for await (const chunk of chunks) {
    yield chunk
    sent += chunk.length
    if (!process.stderr.isTTY || (performance.now() < drawAt && sent < size)) continue
    drawAt = performance.now() + DRAW_EVERY_MS
    process.stderr.write(`\r${progressBar(sent, size)}${sent < size ? '' : '\n'}`)
  }
}

function progressBar(sent: number, size: number): string {
  const share = size === 0 ? 1 : sent / size
  const full = Math.round(share * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${`${Math.floor(share * 100)}`.padStart(3)}%`
}

function summary({ lines, applied, refused, refusals }: FeedReport): string {
  const done = Object.entries(applied).map(([kind, count]) => `${count} ${kind}`)
  const shown = refusals.slice(0, SHOWN_REFUSALS).map(({ line, reason }) => `  line ${line}: ${reason}`)
  const more = refused > shown.length ? [`  and ${refused - shown.length} more`] : []
  return [`${lines} lines: ${done.join(', ') || 'nothing'} applied, ${refused} refused`, ...shown, ...more].join('\n')
}
