import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { wordsOf } from '../../src/platform/runtime/error-words.ts'
import { freePort } from '../harness/free-port.ts'

test('a name of two addresses that both refuse', async () => {
  const port = await freePort()
  const both = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const error = await new Promise<Error>((resolve) => {
    connect({ host: 'two.test', port, lookup: (_name, _options, done) => done(null, both) }).once('error', resolve)
  })
  expect(error.message).toBe('')
  expect(wordsOf(error)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`)
})
