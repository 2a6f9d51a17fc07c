// Deposits with 3-D Secure, beside makeTransaction, which cannot send a customer to the issuer.

import { isIP } from 'node:net'
import { type Operation, operationWith } from '../../http/operations/operation.ts'
import type { Parameter } from '../../http/requests/parameters.ts'
import type { WalletsContext } from '../context.ts'
import { cancelChallenge, finishChallenge, makeChallengedDeposit, readResult } from '../deposits/challenge.ts'
import { listOwnDeposits } from '../deposits/own.ts'
import { parseReturnUrl } from '../deposits/return-address.ts'
import { depositDocument, depositListDocument, finishedDocument } from '../deposits/shapes.ts'
import { DEPOSIT_FAULTS } from '../faults.ts'
import type { Cv2 } from '../gateways/cv2.ts'
import type { BrowserData } from '../gateways/gateway.ts'
import { amount, cv2, id, idempotencyKey, optionalWallet, wallet, walletBlock } from '../parameters.ts'

const MAX_ADDRESS = 1_000

const returnUrl: Parameter<URL | undefined> = {
  ...wallet,
  from: 'query or form',
  meaning:
    'where the issuer sends the browser back to, with redirectResult in the query; it begins with an address registered for the application',
  absent: undefined,
  parse: (raw) => (raw.length > MAX_ADDRESS ? undefined : parseReturnUrl(raw)),
  schema: { type: 'string', format: 'uri', maxLength: MAX_ADDRESS },
}

// ---- The browser, as issuers want to know it. What is not sent has the value of a usual one.

const optional = { ...optionalWallet, from: 'query or form' } as const

function browserText(meaning: string, pattern: RegExp, absent: string): Parameter<string> {
  return {
    ...optional,
    meaning: `of the customer’s browser: ${meaning}`,
    absent,
    parse: (raw) => (pattern.test(raw) ? raw : undefined),
    schema: { type: 'string', pattern: pattern.source },
  }
}

function browserNumber(meaning: string, [least, most]: readonly [number, number], absent: number): Parameter<number> {
  return {
    ...optional,
    meaning: `of the customer’s browser: ${meaning}`,
    absent,
    parse(raw) {
      const value = /^-?[0-9]{1,6}$/.test(raw) ? Number(raw) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
    schema: { type: 'integer', minimum: least, maximum: most, default: absent },
  }
}

/** The values that issuers know. */
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 30, 32, 48]
const PRINTABLE = /^[\x20-\x7e]{1,2000}$/

const browser: { readonly [Field in keyof BrowserData]: Parameter<BrowserData[Field]> } = {
  userAgent: browserText('navigator.userAgent; absent: that of this request', PRINTABLE, ''),
  acceptHeader: browserText('its header Accept', PRINTABLE, '*/*'),
  language: browserText('navigator.language', /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/, 'en-GB'),
  colorDepth: {
    ...optional,
    meaning: 'of the customer’s browser: screen.colorDepth',
    absent: 24,
    parse: (raw) => COLOR_DEPTHS.find((depth) => `${depth}` === raw),
    schema: { type: 'integer', enum: COLOR_DEPTHS, default: 24 },
  },
  screenWidth: browserNumber('screen.width', [1, 100_000], 1280),
  screenHeight: browserNumber('screen.height', [1, 100_000], 720),
  timeZoneOffset: browserNumber('minutes from its time to UTC, as getTimezoneOffset() counts', [-900, 900], 0),
  javaEnabled: {
    ...optional,
    meaning: 'of the customer’s browser: navigator.javaEnabled()',
    absent: false,
    parse: (raw) => (raw === 'true' ? true : raw === 'false' ? false : undefined),
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  ip: {
    ...optional,
    meaning: 'of the customer’s browser: its address; Visa and JCB want it',
    absent: null,
    parse: (raw) => (isIP(raw) === 0 ? undefined : raw),
    schema: { type: 'string', maxLength: 45 },
  },
}

const paymentId: Parameter<string> = {
  ...wallet,
  from: 'path',
  meaning: 'of the deposit',
  absent: '',
  parse: (raw) => (/^[0-9a-f-]{36}$/.test(raw) ? raw : undefined),
  schema: { type: 'string', format: 'uuid' },
}

const redirectResult: Parameter<string> = {
  ...wallet,
  from: 'query or form',
  meaning: 'the parameter of this name with which the browser came back to returnUrl',
  secret: true,
  absent: '',
  parse: (raw) => (/^[\x21-\x7e]{1,8000}$/.test(raw) ? raw : undefined),
  schema: { type: 'string', minLength: 1, maxLength: 8_000 },
}

const shared = { extension: true, ticket: 'required' } as const
const PAYMENT_FAULTS = { walletInvalid: 'paymentId', stillProcessing: null } as const
const operation = operationWith<WalletsContext>()

export const challengeOperations: Operation<WalletsContext>[] = [
  operation({
    ...shared,
    name: 'makeDeposit',
    summary: 'Deposit with a registered card whose issuer may ask the customer to confirm (3-D Secure)',
    route: 'POST /v1/wallets/me/deposits',
    movesMoney: true,
    parameters: { amount, id, cv2, returnUrl, ...browser, 'Idempotency-Key': idempotencyKey },
    answer: {
      status: 200,
      document: depositDocument,
      headers: {
        'Idempotent-Replayed': 'true where the Idempotency-Key was used before, with the state of that deposit',
      },
    },
    faults: DEPOSIT_FAULTS,
    async handle(context, { caller, parameters, response }) {
      const { headers } = response.req
      const { id: methodId, amount, cv2, returnUrl, 'Idempotency-Key': idempotencyKey, ...sent } = parameters
      const order = {
        customerId: caller.customerId,
        apiKey: caller.apiKey,
        idempotencyKey,
        amount,
        methodId,
        challenge: {
          returnUrl: returnUrl as URL,
          browser: { ...sent, userAgent: sent.userAgent || (headers['user-agent'] ?? 'unknown') },
          serviceUrl: context.config.public.url ?? `http://${headers.host ?? 'localhost'}`,
        },
      }
      const { result, replayed } = await makeChallengedDeposit(context, order, cv2 as Cv2)
      if (replayed) response.setHeader('idempotent-replayed', 'true')
      return result
    },
  }),
  operation({
    ...shared,
    name: 'getMyDeposits',
    summary: 'The caller’s deposits, newest first, those that failed too',
    route: 'GET /v1/wallets/me/deposits',
    mayBeStale: false,
    parameters: walletBlock,
    answer: { status: 200, document: depositListDocument, mayBeEmpty: true },
    handle: (context, { caller, parameters }) => listOwnDeposits(context, caller.customerId, parameters),
  }),
  operation({
    ...shared,
    name: 'getDeposit',
    summary: 'The state of one of the caller’s deposits, for a browser that lost its page',
    route: 'GET /v1/wallets/me/deposits/{paymentId}',
    mayBeStale: false,
    parameters: { paymentId },
    answer: { status: 200, document: depositDocument },
    faults: PAYMENT_FAULTS,
    handle: (context, { caller, parameters }) => readResult(context, { ...caller, ...parameters }),
  }),
  operation({
    ...shared,
    name: 'finishChallenge',
    summary: 'Finish a deposit after the issuer sent the customer back',
    route: 'POST /v1/wallets/me/deposits/{paymentId}/challenge',
    movesMoney: true,
    repeatable: true,
    parameters: { paymentId, redirectResult },
    answer: { status: 200, document: finishedDocument },
    faults: { ...DEPOSIT_FAULTS, walletInvalid: ['paymentId', 'redirectResult'] },
    handle: (context, { caller, parameters }) =>
      finishChallenge(context, { ...caller, ...parameters }, parameters.redirectResult),
  }),
  operation({
    ...shared,
    name: 'cancelChallenge',
    summary: 'Give up a deposit that waits for the customer at the issuer; the same answer when it is decided already',
    route: 'DELETE /v1/wallets/me/deposits/{paymentId}/challenge',
    parameters: { paymentId },
    answer: { status: 200, document: depositDocument },
    faults: PAYMENT_FAULTS,
    handle: (context, { caller, parameters }) => cancelChallenge(context, { ...caller, ...parameters }),
  }),
]
