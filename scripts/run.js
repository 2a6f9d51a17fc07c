// Runs a program of the project: `node scripts/run.js [options of node] FILE [arguments]`. Prepares the checkout first,
// then starts the program with the project's own Node. Plain JavaScript for Node 20 or later.
//
// The npm scripts are `exec node scripts/run.js …`: npm sends signals to the shell only, and with `exec` this process
// replaces the shell. It forwards signals, and exits like the program.
import { spawn } from 'node:child_process'
import { prepare } from './prepare.js'

const program = spawn(prepare(), process.argv.slice(2), { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal))
program.once('exit', (code, signal) => {
  process.exitCode = code ?? 1
  if (signal !== null) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
})
