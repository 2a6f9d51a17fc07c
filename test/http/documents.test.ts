import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'

const service = useService()

test.each([
  ['GET', '/docs/getProfile', 200, null],
  ['GET', '/docs/noSuchPage', 404, null],
  ['GET', '/docs/getProfile/more', 404, null],
  ['POST', '/docs/getProfile', 405, 'GET, HEAD'],
  ['POST', '/docs/noSuchPage', 404, null],
  ['GET', '/schemas/faults.xsd', 200, null],
  ['GET', '/schemas/none.xsd', 404, null],
])('of a folder of documents only those that exist are found: %s %s is %i on both listeners', async (...row) => {
  const [method, path, status, allow] = row
  const listeners = path.startsWith('/docs') ? [service.publicUrl, service.operatorUrl] : [service.publicUrl]
  for (const url of listeners) {
    const address = url + (url === service.operatorUrl ? path.replace('getProfile', 'getDeposit') : path)
    const answer = await fetch(address, { method })
    expect([address, answer.status, answer.headers.get('allow')]).toEqual([address, status, allow])
  }
})
