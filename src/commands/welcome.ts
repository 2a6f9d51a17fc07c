import { hasSandboxAddresses } from '../sandbox/routes/serve.ts'
import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from '../sandbox/world/customers.ts'
import type { Service } from '../service.ts'

/** What `npm start` prints: the addresses and, in the sandbox, credentials and first requests. */
export function welcome({ publicUrl, operatorUrl, operatorToken, context }: Service): string {
  const { config } = context
  const signIn = context.startLink?.address(operatorUrl) ?? null
  const opened = [
    ...(hasSandboxAddresses(context) ? [`Open the application: ${publicUrl}/app`] : []),
    ...(signIn === null ? [] : [`Open the console, signed in (once, within 30 minutes): ${signIn}`]),
  ]
  const lines = [
    '',
    ...opened,
    ...(opened.length > 0 ? [''] : []),
    `Paddock listens on ${publicUrl}           (reference: ${publicUrl}/docs)`,
    `The operator listener is on ${operatorUrl}  (console: ${operatorUrl}/, reference: ${operatorUrl}/docs)`,
  ]
  if (operatorToken.isNew) {
    lines.push(`Operator token, created in ${config.dataFolder}/operator-token: ${operatorToken.token}`)
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
