// The examples of the client's README, as programs.

import { readFileSync } from 'node:fs'

const readme = readFileSync(new URL('../../clients/typescript/README.md', import.meta.url), 'utf8')

/** All but the last one as one program, in the order of the README; the last one, a receiver of webhooks, by itself. */
export function readmePrograms(): { examples: string; receiver: string } {
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => `${code}`)
  const receiver = blocks.pop() as string
  const imports = blocks.flatMap((code) => code.match(/^import .*$/gm) ?? [])
  const [first = '', ...others] = blocks.map((code) => code.replace(/^import .*\n+/gm, ''))
  return { examples: [...imports, first, ...others.map((code) => `{\n${code}}`)].join('\n'), receiver }
}
