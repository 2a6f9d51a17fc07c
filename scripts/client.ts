import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { GENERATED_FOLDER, generatedFiles } from './client/generate.ts'
import { refuseArguments } from './command-line.js'

refuseArguments(`Usage: npm run client

  Writes the generated files of the TypeScript client, ${GENERATED_FOLDER}, from the operations of the service.
  Run it after every change of an operation, a shape, a fault or an event.`)

const folder = fileURLToPath(new URL(`../${GENERATED_FOLDER}/`, import.meta.url))
mkdirSync(folder, { recursive: true })
for (const [name, text] of generatedFiles()) writeFileSync(folder + name, text)
