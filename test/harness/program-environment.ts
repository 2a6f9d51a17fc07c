import { fileURLToPath } from 'node:url'

/**
 * Of every process that a test starts. The cache of compiled code halves the time of a start; processes that are killed write
 * nothing into it, but use what others wrote.
 */
export const programEnvironment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../test-output/compile-cache', import.meta.url)),
}
