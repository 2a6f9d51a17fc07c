import type { TestService } from '../../harness/service.ts'
import { newMatch, newTip } from '../../harness/sportsbook.ts'
import type { Cases } from './case.ts'

const refused = (path: string, faultName: string) => async () => ({ path, faultName })

/** What both searches refuse. */
function badQueries(path: string) {
  return {
    missing: [refused(path, 'q'), refused(`${path}?q=`, 'q')],
    invalid: [
      refused(`${path}?q=a`, 'q'),
      refused(`${path}?q=%20a%20`, 'q'),
      refused(`${path}?q=!!!`, 'q'),
      refused(`${path}?q=a!!`, 'q'),
      refused(`${path}?q=${'a'.repeat(101)}`, 'q'),
      refused(`${path}?q=a+b+c+d+e+f+g+h+i`, 'q'),
      refused(`${path}?q=two%0Alines`, 'q'),
      refused(`${path}?q=fine&blockSize=0`, 'blockSize|blockNum'),
      refused(`${path}?q=fine&blockNum=x`, 'blockSize|blockNum'),
    ],
  }
}

const PROFILES = '/v1/search/profiles'
const COMMENTS = '/v1/search/comments'

export const searchCases: Cases = {
  searchProfiles: {
    success: async (service: TestService) => {
      const { ticket } = await service.member()
      await service.call('PUT', '/v1/profiles/me?biography=Walks+the+course', { ticket })
      return { path: `${PROFILES}?q=course`, ticket }
    },
    faults: {
      ...badQueries(PROFILES),
      invalid: [
        ...badQueries(PROFILES).invalid,
        refused(`${PROFILES}?q=fine&blockSize=101`, 'blockSize|blockNum'),
        refused(`${PROFILES}?q=fine&communities=X`, 'communities'),
      ],
    },
  },
  searchComments: {
    success: async (service: TestService) => {
      const author = await service.member()
      const [outcome] = await newMatch(service)
      await newTip(service, author, outcome?.id ?? 0, { text: 'Stays further than this' })
      return { path: `${COMMENTS}?q=stays+further`, ticket: author.ticket }
    },
    faults: {
      ...badQueries(COMMENTS),
      invalid: [
        ...badQueries(COMMENTS).invalid,
        refused(`${COMMENTS}?q=fine&blockSize=21`, 'blockSize|blockNum'),
        refused(`${COMMENTS}?q=fine&blockNum=101`, 'blockSize|blockNum'),
        refused(`${COMMENTS}?q=fine&details=y`, 'details'),
      ],
    },
  },
}
