import type { TestService } from '../../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../../harness/sportsbook.ts'
import { logged } from '../../harness/tip-log.ts'
import type { Cases } from './case.ts'

const PATH = '/v1/communities/log'

async function loggedTip(service: TestService): Promise<number> {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tip = await newTip(service, await service.member(), outcome.id)
  await logged(service.context.database)
  return tip
}

const refused = (path: string, faultName: string) => async () => ({ path: `${PATH}${path}`, faultName })

export const tipLogCases: Cases = {
  getLog: {
    async success(service) {
      // Else it grows between two reads that are compared.
      await logged(service.context.database)
      return { path: PATH }
    },
    faults: {},
  },
  getLogProofs: {
    success: async (service) => ({ path: `${PATH}/proofs/${await loggedTip(service)}` }),
    faults: {
      missing: refused('/proofs', 'commentId'),
      invalid: refused('/proofs/x', 'commentId'),
      noComment: [refused('/proofs/999999999', 'commentId'), refused(`/proofs/${'9'.repeat(30)}`, 'commentId')],
    },
  },
  getLogConsistency: {
    success: async () => ({ path: `${PATH}/consistency?first=0&second=0` }),
    faults: {
      missing: [refused('/consistency?second=1', 'first'), refused('/consistency?first=1', 'second')],
      invalid: [
        refused('/consistency?first=x&second=0', 'first'),
        refused('/consistency?first=0&second=-1', 'second'),
        refused('/consistency?first=1&second=0', 'first'),
        refused('/consistency?first=0&second=999999999', 'second'),
        refused(`/consistency?first=0&second=${'9'.repeat(30)}`, 'second'),
        refused(`/consistency?first=${'9'.repeat(30)}&second=0`, 'first'),
      ],
    },
  },
  getLogEntries: {
    async success(service) {
      await loggedTip(service)
      return { path: `${PATH}/entries` }
    },
    faults: {
      invalid: [
        refused('/entries?start=x', 'start'),
        refused('/entries?count=0', 'count'),
        refused('/entries?count=1001', 'count'),
        refused('/entries?leavesOnly=X', 'leavesOnly'),
      ],
    },
  },
  getLogKeys: { success: async () => ({ path: `${PATH}/keys` }), faults: {} },
}
