// EXTENSIONS=off offers the contract alone: nothing shows that there is a cashier beside it.

import { expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { call, useService } from '../harness/service.ts'

const contract = useService({ EXTENSIONS: 'off', SANDBOX_SEED: 'off' })

/** By name, so that one whose row forgets to be an extension fails here. */
const CASHIER = {
  makeDeposit: 'POST /v1/wallets/me/deposits',
  getMyDeposits: 'GET /v1/wallets/me/deposits',
  getDeposit: 'GET /v1/wallets/me/deposits/{paymentId}',
  finishChallenge: 'POST /v1/wallets/me/deposits/{paymentId}/challenge',
  cancelChallenge: 'DELETE /v1/wallets/me/deposits/{paymentId}/challenge',
  getMyLimits: 'GET /v1/wallets/me/limits',
  markLimitsPrompted: 'PUT /v1/wallets/me/limits',
  setMyLimit: 'PUT /v1/wallets/me/limits/{period}',
  removeMyLimit: 'DELETE /v1/wallets/me/limits/{period}',
  confirmMyLimit: 'POST /v1/wallets/me/limits/{period}/confirmation',
  getWithdrawalOptions: 'GET /v1/wallets/me/withdrawals/options',
  makeWithdrawal: 'POST /v1/wallets/me/withdrawals',
  getMyWithdrawals: 'GET /v1/wallets/me/withdrawals',
  getWithdrawal: 'GET /v1/wallets/me/withdrawals/{id}',
  takeTimeOut: 'PUT /v1/wallets/me/time-out',
  excludeMyself: 'PUT /v1/wallets/me/exclusion',
} as const

/** makeTransaction and the methods are the contract's own. */
const CONTRACT = ['makeTransaction', 'getPaymentMethods', 'getPaymentMethodsByGet']

const VALUES: Readonly<Record<string, string>> = {
  '{paymentId}': '00000000-0000-8000-8000-000000000000',
  '{period}': 'day',
  '{id}': '1',
}

const PLACES = ['/openapi.json', '/postman.json', '/docs', '/schemas/paddock.xsd']

test('every operation of wallets but the contract’s is an extension', () => {
  const wallets = allOperations.filter(({ path }) => path.startsWith('/v1/wallets/'))
  const beside = wallets.filter(({ name }) => !CONTRACT.includes(name))
  expect(beside.filter(({ extension }) => extension !== true).map(({ name }) => name)).toEqual([])
  for (const [name, route] of Object.entries(CASHIER)) {
    const found = beside.find((one) => one.name === name)
    expect(`${found?.method} ${found?.path}`).toBe(route)
  }
})

test.each(Object.entries(CASHIER))('%s is an unknown path', async (name, route) => {
  const [method, path] = route.split(' ') as [string, string]
  const { ticket } = await contract.customer()
  const address = path.replace(/\{\w+\}/, (place) => VALUES[place] as string)
  const reply = await call(contract.publicUrl, method, address, { ticket, accept: 'application/json' })
  const unknown = await call(contract.publicUrl, method, '/v1/wallets/me/nothing', {
    ticket,
    accept: 'application/json',
  })
  expect([reply.status, reply.text]).toEqual([404, unknown.text])
  expect((await fetch(`${contract.publicUrl}/docs/${name}`)).status).toBe(404)
})

test.each(PLACES)('%s has none of them', async (place) => {
  const response = await fetch(contract.publicUrl + place)
  expect(response.status).toBe(200)
  const text = await response.text()
  for (const name of Object.keys(CASHIER)) expect(text).not.toContain(name)
  for (const word of [
    'wallets/me/deposits',
    'wallets/me/limits',
    'time-out',
    'excludedUntil',
    'redirectResult',
    'notBefore',
  ])
    expect([word, text.includes(word)]).toEqual([word, false])
})

test('neither the sandbox’s issuer nor the application is served', async () => {
  for (const path of ['/app/', '/sandbox/issuer/00000000-0000-8000-8000-000000000000'])
    expect((await fetch(contract.publicUrl + path)).status).toBe(404)
})
