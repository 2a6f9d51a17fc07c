import type { Service } from '../service.ts'
import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from './customers.ts'

/** What `npm start` prints: where the service listens and, in the sandbox, all that is needed for a first answer. */
export function welcome({ publicUrl, operatorUrl, operatorToken, context }: Service): string {
  const { config } = context
  const lines = [
    '',
    `Paddock listens on ${publicUrl}        (reference: ${publicUrl}/docs)`,
    `The operator's side is on ${operatorUrl}  (console: ${operatorUrl}/)`,
  ]
  if (operatorToken.made) {
    lines.push(`Operator token, made now and kept in ${config.dataFolder}/operator-token: ${operatorToken.token}`)
  }
  if (config.sandboxSeed) lines.push(...sandbox(publicUrl))
  return `${lines.join('\n')}\n\n`
}

function sandbox(url: string): string[] {
  const credentials = `-H 'who-apiKey: ${SANDBOX_KEY}' -H 'who-secret: ${SANDBOX_SECRET}'`
  const [alice] = SANDBOX_CUSTOMERS
  return [
    '',
    'Sandbox credentials',
    `  who-apiKey: ${SANDBOX_KEY}`,
    `  who-secret: ${SANDBOX_SECRET}`,
    ...SANDBOX_CUSTOMERS.map(({ ticket, username }) => `  who-ticket: ${ticket}   (${username}, password sandbox)`),
    '',
    'Try it',
    `  curl ${credentials} '${url}/v1/profiles/1?communities=Y'`,
    `  curl -X POST -G ${credentials} -H 'who-ticket: ${alice.ticket}' -d betId=70012 --data-urlencode 'text=Travels well and stays further' ${url}/v1/communities/comments/me/outcomes/80021`,
    `  curl ${credentials} -H 'who-ticket: ${alice.ticket}' -H 'accept: application/json' -d 'transactionType=deposit&amount=25.00&id=101&cv2=123' ${url}/v1/wallets/me`,
  ]
}
