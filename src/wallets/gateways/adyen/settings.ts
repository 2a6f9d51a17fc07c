import type { Config } from '../../../platform/config/config.ts'

export type AdyenSettings = NonNullable<Config['wallets']['adyen']>
