// Installs nothing. Plain JavaScript for Node 20 or later.
import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from './build-web.js'
import { refuseArguments } from './command-line.js'
import { nameJavaScript } from './declarations.js'
import { findNode, NO_NODE } from './node.js'

const root = fileURLToPath(new URL('..', import.meta.url))

refuseArguments(`Usage: npm run build

  Builds what the npm package and the image contain: the console, the showcase, and dist/, which is src/ compiled to
  JavaScript with types, because Node does not strip types under node_modules.`)

const error = buildIfStale() ?? compile()
if (error !== undefined) {
  console.error(error)
  process.exit(1)
}

/** Returns the text of the error, or undefined. */
function compile() {
  const node = findNode()
  if (node === undefined) return NO_NODE
  rmSync(`${root}dist`, { recursive: true, force: true })
  const command = [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json']
  const result = spawnSync(node, command, { cwd: root, encoding: 'utf8' })
  if (result.status !== 0) return result.stdout + result.stderr
  nameJavaScript(`${root}dist`)
  // The other files, such as the default picture.
  cpSync(`${root}src`, `${root}dist`, { recursive: true, filter: (name) => !name.endsWith('.ts') })
  return undefined
}
