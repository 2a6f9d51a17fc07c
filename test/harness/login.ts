import { request } from 'node:http'

/**
 * A log-in as Alice of the sandbox, which takes a while because of its password hash. The service answers "100 Continue"
 * as soon as it has the request.
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
