// A verifier in another language, which shares nothing with the service, agrees with ours.

import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { logged } from '../harness/tip-log.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const verifier = new URL('verifier.py', import.meta.url).pathname
const hasPython = spawnSync('python3', ['--version']).status === 0

test.runIf(hasPython)('in Python', async () => {
  const author = await service.member()
  const [first, second] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  for (let tip = 0; tip < 10; tip++) await newTip(service, author, tip % 2 === 0 ? first.id : second.id)
  await settle(service, first, 'win')
  await service.call('PUT', '/v1/communities/comments/2', { ticket: author.ticket })
  await logged(service.context.database)
  const { stdout } = await promisify(execFile)('python3', [verifier, service.publicUrl])
  expect(stdout.split('\n').slice(0, -1)).toEqual([
    'root of 16 entries',
    'signature',
    'inclusion of 10 tips',
    'consistency of 16 sizes',
  ])
})
