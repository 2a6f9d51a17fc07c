import { execFileSync } from 'node:child_process'

/** The suites in a browser need the built console, also when they are not run by npm. */
export function setup(): void {
  execFileSync(process.execPath, [new URL('../../scripts/build-console.js', import.meta.url).pathname], {
    stdio: 'inherit',
  })
}
