import { boardUpToDate, gradedTips } from '../../harness/records.ts'
import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

const RANKING = '/v1/profiles/ranking/records'

async function path(service: TestService, after: string): Promise<string> {
  return `/v1/profiles/${(await service.member()).profileId}${after}`
}

const refused = (after: string, faultName: string) => async (service: TestService) => ({
  path: await path(service, after),
  faultName,
})
const unknown = (after: string) => async () => ({ path: `/v1/profiles/987654321${after}`, faultName: 'id' })
const missing = (after: string) => async () => ({ path: `/v1/profiles/${after}`, faultName: 'id' })
const notDigits = (after: string) => async () => ({ path: `/v1/profiles/x${after}`, faultName: 'id' })

export const recordCases: Cases = {
  getRecord: {
    success: async (service) => {
      const author = await service.member()
      await gradedTips(service, author, 'WLV')
      return { path: `/v1/profiles/${author.profileId}/record` }
    },
    faults: {
      missing: missing('/record'),
      noProfile: unknown('/record'),
      invalid: [
        notDigits('/record'),
        refused('/record?sportId=x', 'sportId'),
        refused('/record?numDays=8', 'numDays'),
        refused('/record?numDays=0', 'numDays'),
        refused('/record?band=3-4', 'band'),
        refused('/record?inPlay=X', 'inPlay'),
      ],
    },
  },
  getRecordTips: {
    success: async (service) => {
      const author = await service.member()
      await gradedTips(service, author, 'WLV')
      return { path: `/v1/profiles/${author.profileId}/record/tips` }
    },
    faults: {
      missing: missing('/record/tips'),
      noProfile: unknown('/record/tips'),
      invalid: [
        notDigits('/record/tips'),
        refused('/record/tips?inPlay=yes', 'inPlay'),
        refused('/record/tips?status=A', 'status'),
        refused('/record/tips?blockSize=101', 'blockSize|blockNum'),
        refused('/record/tips?blockNum=x', 'blockSize|blockNum'),
      ],
    },
  },
  getRecordRanking: {
    success: async (service) => {
      await gradedTips(service, await service.member(), 'WLWLW'.repeat(4))
      await boardUpToDate(service)
      return { path: RANKING }
    },
    faults: {
      invalid: [
        async () => ({ path: `${RANKING}?numDays=31`, faultName: 'numDays' }),
        async () => ({ path: `${RANKING}?sportId=x`, faultName: 'sportId' }),
        async () => ({ path: `${RANKING}?band=x`, faultName: 'band' }),
      ],
    },
  },
}
