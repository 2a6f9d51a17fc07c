// Runs code that the documents show: calls of the TypeScript client, without types.

import * as client from '../../clients/typescript/src/index.ts'

export class Stopped extends Error {}

/** `given` are further names that the code may use; a `console` among them. */
export async function runTypeScript(code: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const { Paddock, PaddockFault, faultCodes, money } = client
  const names = { Paddock, PaddockFault, faultCodes, money, ...given }
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  const run = new AsyncFunction(...Object.keys(names), code.replace(/^import .*\n/gm, ''))
  await run(...Object.values(names)).catch((error: unknown) => {
    if (!(error instanceof Stopped)) throw error
  })
}
