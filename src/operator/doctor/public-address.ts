// PUBLIC_URL, as this machine sees it: the gateway sends its notifications there.

import { lookup } from 'node:dns/promises'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Check } from '../health/checks.ts'
import { expiryCheck } from './certificates.ts'
import { headerClockCheck } from './clock.ts'
import { type Examined, type Probe, part } from './probe.ts'

const NAME = 'publicAddress'
const TITLE = 'Public address'
const { good, warning, critical } = part(NAME, TITLE)

const TIMEOUT_MS = 5_000

export const publicAddress: Probe = {
  name: NAME,
  title: TITLE,
  async run(examined) {
    const { url } = examined.config.public
    if (url === null) return []
    const { hostname } = new URL(url)
    try {
      await lookup(hostname.replace(/^\[|\]$/g, ''))
    } catch {
      return [
        critical(`The name ${hostname} of PUBLIC_URL has no address.`, 'Correct PUBLIC_URL, or the record in the DNS.'),
      ]
    }
    return reach(examined, `${url}/v1/notifications/${examined.config.wallets.gateway}`)
  },
}

async function reach({ now }: Examined, address: string): Promise<Check[]> {
  let answer: Answer
  try {
    answer = await ask(address)
  } catch (error) {
    const advice =
      'Start the service, open the way to it, or, if only this machine cannot reach itself by that name, try it from outside.'
    const { code = (error as Error).message } = error as { code?: string }
    return [warning(`Tried from this machine, ${address} was not reached: ${code}.`, advice)]
  }
  const clock = headerClockCheck('the public address', answer.date, now())
  return [answerCheck(address, answer), ...tlsChecks(answer, now()), ...(clock === null ? [] : [clock])]
}

/** A GET where the service takes notifications by POST alone: it answers with its own fault. */
function answerCheck(address: string, { status, isOurs }: Answer): Check {
  if (isOurs) return good(`Tried from this machine, the service answers at ${address}.`)
  const advice =
    'Let the proxy pass all paths below /v1 to the service, unchanged: the gateway sends its notifications there.'
  return critical(`Tried from this machine, something else answers at ${address}, with status ${status}.`, advice)
}

type Shown = { readonly until: number; readonly distrust: string | null }
type Answer = {
  readonly status: number
  readonly isOurs: boolean
  readonly date?: string | undefined
  readonly tls: Shown | null
}

/** Sends no secret, so an unknown certificate is looked at and not refused. */
function ask(address: string): Promise<Answer> {
  // Of the whole, as an answer that comes byte by byte would keep us from ending.
  const options = { agent: false as const, signal: AbortSignal.timeout(TIMEOUT_MS), rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    const request = (address.startsWith('https:') ? getSecure : getPlain)(address, options, (response) => {
      resolve(answerOf(response))
      response.destroy()
    })
    request.on('error', (error) => {
      reject(options.signal.aborted ? new Error(`no answer within ${TIMEOUT_MS / 1000} s`) : error)
    })
  })
}

function answerOf({ statusCode = 0, headers, socket }: IncomingMessage): Answer {
  const isOurs = (statusCode === 404 || statusCode === 405) && headers['x-request-id'] !== undefined
  return { status: statusCode, isOurs, date: headers.date, tls: shownBy(socket as TLSSocket) }
}

function shownBy(socket: TLSSocket): Shown | null {
  if (socket.encrypted !== true) return null
  const distrust = socket.authorized ? null : `${socket.authorizationError ?? 'not known'}`
  return { until: Date.parse(socket.getPeerCertificate().valid_to), distrust }
}

function tlsChecks({ tls }: Answer, now: number): Check[] {
  if (tls === null) return []
  const checks = part('tls', 'TLS of PUBLIC_URL')
  const advice = 'Install a certificate of an authority that clients know, with its chain, for the name of PUBLIC_URL.'
  const distrust =
    tls.distrust === null ? [] : [checks.warning(`This machine does not trust it: ${tls.distrust}.`, advice)]
  return [expiryCheck(checks, tls.until, now), ...distrust]
}
