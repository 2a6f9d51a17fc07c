// Which representation an Accept header requests, parsed leniently.

import { request } from 'node:http'
import { expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { KEY, SECRET, useService } from '../harness/service.ts'

const service = useService()

/** Without fetch, which adds an Accept header of its own. */
function headersFor(path: string, accept: string | null) {
  return new Promise<{ status: number; type: string; vary: string }>((resolve, reject) => {
    const headers = { 'who-apiKey': KEY, 'who-secret': SECRET, ...(accept === null ? {} : { accept }) }
    const sent = request(service.publicUrl + path, { headers }, (answer) => {
      const { 'content-type': type = '', vary = '' } = answer.headers
      answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0, type, vary: `${vary}` }))
    })
    sent.once('error', reject).end()
  })
}

test.each([
  [null, 'xml'],
  ['*/*', 'xml'],
  ['application/*', 'xml'],
  ['text/xml', 'xml'],
  ['text/*', 'xml'],
  ['application/atom+xml', 'xml'],
  ['application/json', 'json'],
  ['APPLICATION/JSON', 'json'],
  ['application/vnd.api+json', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['application/json, text/plain, */*', 'json'],
  ['application/xml;q=0.5, application/json;q=0.9', 'json'],
  ['application/json;q=0.5, application/xml', 'xml'],
  ['application/json, application/xml', 'json'],
  ['application/xml, application/json', 'xml'],
  ['application/xml;q=0, */*', 'json'],
  ['text/html, application/xhtml+xml, */*;q=0.8', 'xml'],
  ['text/html, application/json;q=0.1', 'json'],
  ['application/json;q=.2', 'json'],
  ['application/xml;q=.1, application/json;q=.25', 'json'],
  ['application/xml;q=0.12345, application/json;q=0.2', 'json'],
  ['application/xml; q = 0.2, application/json', 'json'],
  ['*', 'xml'],
  ['application/xml;q=0, *', 'json'],
  ['*;q=.1, application/json', 'json'],
  ['application/json;q=2, application/xml', 'json'],
  ['application/json;q=much', 'json'],
  ['application/json;q=', 'json'],
  ['application/json;q=-1, application/xml;q=0.5', 'json'],
  ['text/xml;q=0, application/xml', 'xml'],
  ['application/xml;q=0, text/xml', 'xml'],
  ['text/xml;q=0, */*', 'xml'],
  ['application/atom+xml;q=0, application/xml', 'xml'],
  ['application/vnd.api+json;q=0, application/json', 'json'],
  ['application/json;q=0, application/vnd.api+json', 'json'],
])('accept: %s gives %s', async (accept, representation) => {
  const { profileId } = await service.member()
  expect(await headersFor(`/v1/profiles/${profileId}`, accept)).toEqual({
    status: 200,
    type: `application/${representation}; charset=utf-8`,
    vary: 'accept',
  })
})

test.each([
  'text/html',
  'image/*',
  'application/xml;q=0',
  'text/xml;q=0, text/*',
  '*;q=0',
  '*/*;q=.0',
  'nonsense',
  'application/json;q=0, application/xml;q=0',
])('accept: %s is 406, in XML', async (accept) => {
  const { profileId } = await service.member()
  const reply = await service.call('GET', `/v1/profiles/${profileId}`, { accept })
  expectFault(reply, '/v1/profiles', 'notAcceptable', 'accept')
  expect(reply.headers.get('content-type')).toContain('xml')
})
