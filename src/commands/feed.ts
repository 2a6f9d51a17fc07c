// Sends a file to a running service, as POST /operator/v1/feed does: the service applies it while it is being read.

import { createReadStream, readFileSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { Agent, fetch, type Response } from 'undici'
import type { Config } from '../config/config.ts'
import { bootstrapToken } from '../operator/frame/bootstrap-token.ts'
import type { FeedReport } from '../sportsbook/feed.ts'
import { type Command, UsageProblem } from './command.ts'

const BAR_WIDTH = 40
const DRAW_EVERY_MS = 200
const SHOWN_REFUSALS = 20

export const sendFeed: Command = async (config, [file]) => {
  if (file === undefined) throw new UsageProblem('Usage: paddock feed FILE (newline-delimited JSON)')
  const size = sizeOf(file)
  const { tls, host, port } = config.operator
  const url = `${tls === null ? 'http' : 'https'}://${host}:${port}/operator/v1/feed`
  const response = await send(url, config, Readable.from(withProgress(createReadStream(file), size)))
  if (!response.ok) throw new UsageProblem(`${url} answered ${response.status}: ${await response.text()}`)
  return inWords((await response.json()) as FeedReport)
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    throw new UsageProblem(`There is no file ${file}.`)
  }
}

async function send(url: string, config: Config, body: Readable): Promise<Response> {
  const headers = {
    authorization: `Bearer ${bootstrapToken(config).token}`,
    'content-type': 'application/x-ndjson',
  }
  try {
    return await fetch(url, { method: 'POST', headers, body, duplex: 'half', dispatcher: new Agent(trusting(config)) })
  } catch (error) {
    throw new UsageProblem(`No service listens on ${url}: start it with "paddock serve".`, { cause: error })
  }
}

/** The certificate of the settings and no other, whatever name it has: the service listens on an address. */
function trusting({ operator: { tls } }: Config): Agent.Options {
  if (tls === null) return {}
  const ca = readFileSync(tls.cert)
  return { connect: { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined } }
}

/** Draws how much was taken; only where somebody is looking. */
async function* withProgress(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let taken = 0
  let drawAt = 0
  for await (const chunk of chunks) {
    yield chunk
    taken += chunk.length
    if (!process.stderr.isTTY || (performance.now() < drawAt && taken < size)) continue
    drawAt = performance.now() + DRAW_EVERY_MS
    process.stderr.write(`\r${bar(taken, size)}${taken < size ? '' : '\n'}`)
  }
}

export function bar(taken: number, size: number): string {
  const share = size === 0 ? 1 : taken / size
  const full = Math.round(share * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${`${Math.floor(share * 100)}`.padStart(3)}%`
}

function inWords({ lines, applied, refused, refusals }: FeedReport): string {
  const done = Object.entries(applied).map(([kind, count]) => `${count} ${kind}`)
  const shown = refusals.slice(0, SHOWN_REFUSALS).map(({ line, reason }) => `  line ${line}: ${reason}`)
  const more = refused > shown.length ? [`  and ${refused - shown.length} more`] : []
  return [`${lines} lines: ${done.join(', ') || 'nothing'} applied, ${refused} refused`, ...shown, ...more].join('\n')
}
