import type { Values } from './production-checks.ts'

/** null: not configured. config.ts refuses a part of them. */
export function adyenSettings(values: Values) {
  const { ADYEN_API_KEY: apiKey, ADYEN_MERCHANT_ACCOUNT: merchantAccount, ADYEN_HMAC_KEY: hmacKey } = values
  if (apiKey === null || merchantAccount === null || hmacKey === null) return null
  return { url: values.ADYEN_URL as string, apiKey, merchantAccount, hmacKey, transfers: transferSettings(values) }
}

/** null: no payouts with Adyen; returns of deposits need none of these. */
function transferSettings(values: Values) {
  const { ADYEN_TRANSFERS_KEY: apiKey, ADYEN_BALANCE_ACCOUNT: balanceAccount } = values
  const { ADYEN_TRANSFERS_HMAC_KEY: hmacKey } = values
  if (apiKey === null || balanceAccount === null || hmacKey === null) return null
  return { url: values.ADYEN_TRANSFERS_URL as string, apiKey, balanceAccount, hmacKey }
}
