// Settings that production refuses to start with. Each message states what is dangerous and what to write instead.

import { isPrivateAddress } from '../runtime/addresses.ts'
import { estimatedBits } from '../runtime/secrets.ts'
import type { settings } from './settings.ts'

export type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> }

/** A token below this could be guessed. 32 random hexadecimal digits are estimated at about 100 bits. */
const MIN_TOKEN_BITS = 64

export function productionProblems(values: Values): string[] {
  return [
    ...listenerProblems(values),
    ...plainAddressProblems(values),
    ...(values.GATEWAY === 'adyen' ? [] : ['GATEWAY=sandbox: production needs a real gateway; write GATEWAY=adyen']),
    ...(values.ADYEN_TRANSFERS_KEY !== null && isTestAddress(values.ADYEN_TRANSFERS_URL)
      ? [
          'ADYEN_TRANSFERS_URL: this is the test address, which moves no money; write the live one of your Customer Area',
        ]
      : []),
    ...(isAdyenTest(values)
      ? ['ADYEN_URL: this is the test address, which moves no money; write the live one of your Customer Area']
      : []),
    ...(values.TICKETS === 'jwt' && values.JWT_AUDIENCE === null
      ? [
          'JWT_AUDIENCE is not set: tokens that the issuer made for other services would be accepted as tickets; write the audience of this service',
        ]
      : []),
    ...(values.OPERATOR_TOKEN !== null && estimatedBits(values.OPERATOR_TOKEN) < MIN_TOKEN_BITS
      ? [
          'OPERATOR_TOKEN=…: too easy to guess; write 32 random characters or more (openssl rand -hex 24), or leave it out and one is created',
        ]
      : []),
  ]
}

function listenerProblems(values: Values): string[] {
  const { TLS_CERT, TRUST_PROXY, OPERATOR_HOST, OPERATOR_TLS_CERT } = values
  const problems: string[] = []
  if (TLS_CERT === null && TRUST_PROXY === null) {
    problems.push(
      'MODE=production: secrets must not travel over plain HTTP. Set TLS_CERT and TLS_KEY, or TRUST_PROXY with the address of the proxy that ends TLS',
    )
  }
  if (OPERATOR_TLS_CERT === null && TRUST_PROXY === null && !isPrivateAddress(OPERATOR_HOST as string)) {
    problems.push(
      `OPERATOR_HOST=${OPERATOR_HOST}: operator tokens must not travel over plain HTTP. Write a loopback or private address, or set OPERATOR_TLS_CERT and OPERATOR_TLS_KEY, or TRUST_PROXY`,
    )
  }
  return problems
}

/** Addresses that secrets, tickets, card data or customers' ids are sent to, or that keys are fetched from. */
const MUST_BE_HTTPS = [
  'ADYEN_URL',
  'ADYEN_TRANSFERS_URL',
  'JWT_JWKS_URL',
  'INTROSPECTION_URL',
  'OIDC_ISSUER',
  'EXCLUSIONS_URL',
] as const

function plainAddressProblems(values: Values): string[] {
  return MUST_BE_HTTPS.filter((name) => values[name] !== null && new URL(values[name]).protocol === 'http:').map(
    (name) => `${name}=…: production needs an address that begins with https://`,
  )
}

function isAdyenTest(values: Values): boolean {
  return values.GATEWAY === 'adyen' && isTestAddress(values.ADYEN_URL)
}

function isTestAddress(address: string | null): boolean {
  return address !== null && /\btest\.adyen\.com$/.test(new URL(address).hostname)
}
