// The generated files of the TypeScript client are those that the operations of the service give.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GENERATED_FOLDER, generatedFiles } from '../../scripts/client/generate.ts'

const folder = join(new URL('../..', import.meta.url).pathname, GENERATED_FOLDER)

test('the generated files of the client are up to date: otherwise run "npm run client"', () => {
  const stored = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(generatedFiles()))
})
