// Deposits with 3-D Secure over HTTP.

import { expect } from 'vitest'
import type { CallOptions, Reply, TestService } from './service.ts'
import { KEY } from './service.ts'
import { newDepositor } from './wallets.ts'

export const RETURN_URL = 'https://shop.example/cashier/back'
const RETURN_ADDRESSES = ['https://shop.example/cashier', 'http://localhost/']

export async function registerReturnAddresses(service: Pick<TestService, 'operator'>): Promise<void> {
  const path = `/operator/v1/applications/${KEY}/return-addresses`
  const reply = await service.operator('PUT', path, { returnAddresses: RETURN_ADDRESSES })
  expect(reply.body).toEqual({ returnAddresses: RETURN_ADDRESSES })
}

type Caller = Pick<TestService, 'call'>
type DepositOptions = Pick<CallOptions, 'key' | 'secret' | 'accept'> & {
  ticket: string
  method: number
  amount?: string
  cv2?: string
  returnUrl?: string
  idempotencyKey?: string
  browser?: Record<string, string>
}

export function makeDeposit(service: Caller, options: DepositOptions): Promise<Reply> {
  const { ticket, method, amount = '10.00', cv2 = '123', returnUrl = RETURN_URL, browser, ...more } = options
  const { idempotencyKey, accept = 'application/json', ...credentials } = more
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const body = new URLSearchParams({ amount, id: `${method}`, cv2, returnUrl, ...browser }).toString()
  return service.call('POST', '/v1/wallets/me/deposits', { ticket, accept, headers, body, ...credentials })
}

export function readDeposit(service: Caller, ticket: string, paymentId: string, accept = 'application/json') {
  return service.call('GET', `/v1/wallets/me/deposits/${paymentId}`, { ticket, accept })
}

type Finishing = { ticket: string; paymentId: string; result: string }

export function finishChallenge(service: Caller, { ticket, paymentId, result }: Finishing): Promise<Reply> {
  const query = new URLSearchParams({ redirectResult: result })
  const path = `/v1/wallets/me/deposits/${paymentId}/challenge?${query}`
  return service.call('POST', path, { ticket, accept: 'application/json' })
}

export function cancelChallenge(service: Caller, { ticket, paymentId }: Omit<Finishing, 'result'>): Promise<Reply> {
  const path = `/v1/wallets/me/deposits/${paymentId}/challenge`
  return service.call('DELETE', path, { ticket, accept: 'application/json' })
}

/** A new customer whose deposit waits for the issuer. */
export async function challengedDepositor(service: TestService, token = 'sandbox:challenge') {
  const depositor = await newDepositor(service, { token })
  const { whoWallets } = (await makeDeposit(service, depositor)).json()
  expect(whoWallets?.status).toBe('challenge')
  return { ...depositor, paymentId: whoWallets.paymentId as string, action: whoWallets.action }
}
