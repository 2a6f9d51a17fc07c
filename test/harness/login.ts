import { request } from 'node:http'

/**
 * A log-in as Alice of the sandbox. It takes a while, for its password; the service says that it goes on with a request
 * as soon as it has it.
 */
export function startLogin(url: string): { underWay: Promise<void>; status: Promise<number | undefined> } {
  const headers = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', expect: '100-continue' }
  const sent = request(`${url}/v1/sessions/tickets?username=alice&password=sandbox`, { method: 'POST', headers })
  const underWay = new Promise<void>((resolve) => sent.once('continue', resolve))
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.once('response', (response) => resolve(response.resume().statusCode))
    sent.once('error', reject)
  })
  sent.end()
  return { underWay, status }
}
