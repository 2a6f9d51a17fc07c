// The examples of the client's README, as programs.

import { readFileSync } from 'node:fs'

const readme = readFileSync(new URL('../../clients/typescript/README.md', import.meta.url), 'utf8')

/** All as one program, in the order of the README, but for the receiver of webhooks, which does not end. */
export function readmePrograms(): { examples: string; receiver: string } {
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => `${code}`)
  const receiver = blocks.find((code) => code.includes('createServer(')) as string
  const ending = blocks.filter((code) => code !== receiver)
  const imports = ending.flatMap((code) => code.match(/^import .*$/gm) ?? [])
  const [first = '', ...others] = ending.map((code) => code.replace(/^import .*\n+/gm, ''))
  return { examples: [...imports, first, ...others.map((code) => `{\n${code}}`)].join('\n'), receiver }
}
