import { type Progress, stepsOf } from '../platform/database/backup/manifest.ts'

/** On a terminal one line that changes; else, for a file or a scheduler's mail, a line for each step. */
export function showProgress(): Progress {
  if (!process.stderr.isTTY) return stepsOf((step) => process.stderr.write(`${step}\n`))
  return (step, done, total) => {
    const count = done === undefined ? '' : ` (${done} of ${total})`
    process.stderr.write(`\r\x1b[K${step}${count}`)
  }
}

/** Before anything else is written. */
export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
