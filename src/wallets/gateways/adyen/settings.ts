import type { Config } from '../../../platform/config/config.ts'

export type AdyenSettings = NonNullable<Config['wallets']['adyen']>

export type TransferSettings = NonNullable<AdyenSettings['transfers']>
