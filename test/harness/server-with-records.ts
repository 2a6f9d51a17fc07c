import Fastify, { type FastifyInstance } from 'fastify'

/** A server that only has the request records which the service's own servers have. */
export function serverWithRecords(): FastifyInstance {
  const server = Fastify()
  server.decorateRequest('record', null as never)
  server.addHook('onRequest', (request, _reply, done) => {
    request.record = {
      id: 'x',
      source: request.raw,
      operation: 'none',
      application: '',
      customer: null,
      fault: '',
      kind: '',
      faultName: '',
      hint: '',
      representation: '',
      shows: null,
      form: '',
      value: undefined,
      answerLength: 0,
      since: 0,
      span: undefined,
      finished: false,
    }
    done()
  })
  return server
}
