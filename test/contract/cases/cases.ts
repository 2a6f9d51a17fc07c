import { accountCases } from './account.ts'
import { appealCases } from './appeals.ts'
import type { Cases } from './case.ts'
import { challengeCases } from './challenges.ts'
import { communityCases } from './communities.ts'
import { exclusionCases } from './exclusions.ts'
import { limitCases } from './limits.ts'
import { muteCases } from './mutes.ts'
import { notificationCases } from './notifications.ts'
import { profileCases } from './profiles.ts'
import { recordCases } from './records.ts'
import { searchCases } from './search.ts'
import { sessionCases } from './sessions.ts'
import { streamCases } from './stream.ts'
import { tipLogCases } from './tip-log.ts'
import { walletCases } from './wallets.ts'
import { withdrawalCases } from './withdrawals.ts'

/** Of all operations. */
export const cases: Cases = {
  ...sessionCases,
  ...profileCases,
  ...communityCases,
  ...walletCases,
  ...challengeCases,
  ...accountCases,
  ...withdrawalCases,
  ...limitCases,
  ...exclusionCases,
  ...streamCases,
  ...muteCases,
  ...notificationCases,
  ...recordCases,
  ...searchCases,
  ...tipLogCases,
  ...appealCases,
}
