// `paddock gateway`: the sandbox's bank as a process of its own, which goes on when the service is killed.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import { openSandboxBank, type SandboxBank } from './bank.ts'

const MAX_BODY_BYTES = 64 * 1024

export async function startSandboxGateway(file: string, host: string, port: number) {
  const bank = openSandboxBank(file)
  const server = createServer((request, response) => {
    answer(bank, request).then(
      ({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.writeHead(400).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${host}:${(server.address() as { port: number }).port}`,
    async close() {
      await closeServer(server)
      bank.close()
    },
  }
}

type BankBody = Record<'reference' | 'token' | 'amount' | 'currency' | 'payment', string> & {
  isReturn: boolean
  serviceUrl?: string
  redirectResult?: string
}

async function answer(bank: SandboxBank, request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  if (request.url === '/payouts') return { status: 200, body: bank.payouts() }
  if (request.url === '/payments') {
    const body = bank.payments().map((one) => ({ ...one, refunds: bank.refundsOf(one.reference) }))
    return { status: 200, body }
  }
  const body = JSON.parse(await bodyText(request)) as BankBody
  const { reference, token, amount, currency, payment, isReturn, serviceUrl, redirectResult } = body
  if (request.url === '/authorise') {
    const terms = { reference, token, amount: BigInt(amount), currency }
    const decision = await bank.authorise(serviceUrl === undefined ? terms : { ...terms, challenge: { serviceUrl } })
    return result(decision)
  }
  if (request.url === '/finish-challenge') {
    return { status: 200, body: bank.finishChallenge(reference, redirectResult ?? '') }
  }
  if (request.url === '/capture') return { status: 200, body: bank.capture(reference) }
  if (request.url === '/lookup') return { status: 200, body: { payment: bank.find(reference) ?? null } }
  if (request.url === '/cancel') return { status: 200, body: bank.cancel(reference) }
  if (request.url === '/refund') return result(bank.refund({ reference, payment, amount, isReturn }))
  const terms = { reference, token, amount, currency }
  if (request.url === '/payout') return result(bank.payout(terms))
  if (request.url === '/look-up-payout') return result(bank.lookUpPayout(terms))
  return { status: 404, body: {} }
}

/** What the bank does not know is an error of its server. */
function result(body: { readonly outcome: string }): { status: number; body: unknown } {
  return body.outcome === 'unknown' ? { status: 500, body: {} } : { status: 200, body }
}

async function bodyText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > MAX_BODY_BYTES) throw new Error('the body is too long')
  }
  return text
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
