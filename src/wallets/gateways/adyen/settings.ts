import type { Config } from '../../../config/config.ts'

export type AdyenSettings = NonNullable<Config['wallets']['adyen']>
