import { APPEAL_MS } from '../../../src/moderation/decisions/actions.ts'
import { writing } from '../../../src/platform/database/database.ts'
import { appealed, appealPath, keptTip, MODERATION, removedTip } from '../../harness/appeals.ts'
import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

const TEXT = '?text=It+was+a+joke+between+friends'

const refused = (path: string, faultName: string) => async (service: TestService) => ({
  path,
  ticket: (await service.customer()).ticket,
  faultName,
})

const withText = (query: string) => async (service: TestService) => {
  const { author, decisionId } = await removedTip(service)
  return { path: appealPath(decisionId) + query, ticket: author.ticket, faultName: 'text' }
}

const setTime = writing<{ id: number; at: number }>('setTimeOfDecision', 'update decision set at = :at where id = :id')

export const appealCases: Cases = {
  getMyModeration: {
    success: async (service) => ({ path: MODERATION, ticket: (await removedTip(service)).author.ticket }),
    faults: {
      invalid: [
        refused(`${MODERATION}?blockSize=101`, 'blockSize|blockNum'),
        refused(`${MODERATION}?blockNum=x`, 'blockSize|blockNum'),
      ],
    },
  },
  appealDecision: {
    success: async (service) => {
      const { author, decisionId } = await removedTip(service)
      return { path: appealPath(decisionId) + TEXT, ticket: author.ticket }
    },
    faults: {
      missing: [withText(''), withText('?text=')],
      invalid: [
        withText('?text=+%0A+'),
        withText(`?text=${'a'.repeat(1001)}`),
        withText(`?text=a${'%0Aa'.repeat(11)}`),
        refused(`${appealPath('x')}${TEXT}`, 'decisionId'),
      ],
      noDecision: [
        refused(`${appealPath(999_999_999)}${TEXT}`, 'decisionId'),
        refused(`${appealPath('9'.repeat(30))}${TEXT}`, 'decisionId'),
        async (service) => ({
          path: appealPath((await removedTip(service)).decisionId) + TEXT,
          ticket: (await service.member()).ticket,
          faultName: 'decisionId',
        }),
        // The tip was kept, which its author is not told.
        async (service) => {
          const { author, decisionId } = await keptTip(service)
          return { path: appealPath(decisionId) + TEXT, ticket: author.ticket, faultName: 'decisionId' }
        },
      ],
      notAppealable: [
        // The flag was upheld.
        async (service) => {
          const { reporter, decisionId } = await removedTip(service)
          return { path: appealPath(decisionId) + TEXT, ticket: reporter.ticket, faultName: 'decisionId' }
        },
        // Too late.
        async (service) => {
          const { author, decisionId } = await removedTip(service)
          await service.context.database.run(setTime, { id: decisionId, at: service.clock.now() - APPEAL_MS })
          return { path: appealPath(decisionId) + TEXT, ticket: author.ticket, faultName: 'decisionId' }
        },
      ],
      appealExists: async (service) => {
        const { author, decisionId } = await removedTip(service)
        await appealed(service, author, decisionId)
        return { path: appealPath(decisionId) + TEXT, ticket: author.ticket, faultName: 'decisionId' }
      },
    },
  },
}
