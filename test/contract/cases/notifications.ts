import { caughtUp } from '../../harness/notifications.ts'
import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

const PATH = '/v1/profiles/me/notifications'

async function notified(service: TestService) {
  const [fan, star] = [await service.member(), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${star.profileId}`, { ticket: fan.ticket })
  await caughtUp(service.context.database)
  return star
}

const refused = (path: string, faultName: string) => async (service: TestService) => ({
  path,
  ticket: (await service.customer()).ticket,
  faultName,
})

export const notificationCases: Cases = {
  getMyNotifications: {
    success: async (service) => ({ path: PATH, ticket: (await notified(service)).ticket }),
    faults: {
      invalid: [
        refused(`${PATH}?blockSize=101`, 'blockSize|blockNum'),
        refused(`${PATH}?blockNum=x`, 'blockSize|blockNum'),
      ],
    },
  },
  markMyNotificationsRead: {
    success: async (service) => ({ path: `${PATH}/read?upTo=1`, ticket: (await service.customer()).ticket }),
    faults: {
      missing: [refused(`${PATH}/read`, 'upTo'), refused(`${PATH}/read?upTo=`, 'upTo')],
      invalid: [refused(`${PATH}/read?upTo=x`, 'upTo'), refused(`${PATH}/read?upTo=-1`, 'upTo')],
    },
  },
}
