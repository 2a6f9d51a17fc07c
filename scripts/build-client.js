// Plain JavaScript for Node 20 or later.
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { refuseArguments } from './command-line.js'
import { nameJavaScript } from './declarations.js'
import { findNode, NO_NODE } from './node.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const client = `${root}clients/typescript`

const USAGE = `Usage: npm run build:client

  Compiles the TypeScript client to clients/typescript/dist: JavaScript modules and their types.`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseArguments(USAGE)
  const error = buildClient()
  if (error !== undefined) console.error(error)
  process.exitCode = error === undefined ? 0 : 1
}

/** Returns the text of the error, or undefined. */
export function buildClient() {
  const node = findNode()
  if (node === undefined) return NO_NODE
  // Another process may be reading dist: it is replaced only when the new one is complete.
  const folder = `${client}/.build-${process.pid}`
  const command = [`${root}node_modules/typescript/bin/tsc`, '-p', client, '--outDir', folder]
  const result = spawnSync(node, command, { cwd: root, encoding: 'utf8' })
  if (result.status === 0) {
    nameJavaScript(folder)
    rmSync(`${client}/dist`, { recursive: true, force: true })
    renameSync(folder, `${client}/dist`)
    return undefined
  }
  rmSync(folder, { recursive: true, force: true })
  return result.stdout + result.stderr
}
