import { blockParameters, type Parameter, parseDigits } from '../http/requests/parameters.ts'
import { parseMoney } from '../platform/runtime/money.ts'
import { type Cv2, parseCv2 } from './gateways/cv2.ts'

/** Wallet faults are answered with HTTP 200, also those of parameters. */
export const optionalWallet = { invalidFault: 'walletInvalid', mustAgree: true } as const
export const wallet = { ...optionalWallet, required: true, missingFault: 'walletMissing' } as const

export const walletBlock = {
  blockSize: { ...blockParameters.blockSize, invalidFault: 'walletInvalid' },
  blockNum: { ...blockParameters.blockNum, invalidFault: 'walletInvalid' },
} as const

export const amount: Parameter<bigint> = {
  ...wallet,
  from: 'query or form',
  meaning: 'the amount to deposit, with at most two decimals',
  absent: 0n,
  parse: (raw) => (/^0[0-9]/.test(raw) ? undefined : parseMoney(raw)),
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]*)(\\.[0-9]{1,2})?$' },
}

export const id: Parameter<number> = {
  ...wallet,
  from: 'query or form',
  meaning: 'id of a payment method, from getPaymentMethods',
  absent: -1,
  parse: parseDigits,
  schema: { type: 'string', pattern: '^[0-9]+$' },
}

export const cv2: Parameter<Cv2 | undefined> = {
  ...wallet,
  from: 'query or form',
  meaning: 'the card’s security code; used once and never stored',
  secret: true,
  absent: undefined,
  parse: parseCv2,
  invalidFault: 'cv2Invalid',
  malformedFault: 'walletInvalid',
  schema: { type: 'string', pattern: '^[0-9]{3,4}$' },
}

export const idempotencyKey: Parameter<string | null> = {
  ...optionalWallet,
  from: 'header',
  meaning: 'the same key and parameters again answer the first result, without a second charge',
  absent: null,
  parse: (raw) => (/^[\x21-\x7e]{1,64}$/.test(raw) ? raw : undefined),
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,64}$' },
}
