import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { WEB_BUILD } from '../web/vite.ts'

export default defineConfig({
  ...WEB_BUILD,
  // The client's sources, so that nothing has to be built before.
  resolve: {
    alias: { '@paddock/client': fileURLToPath(new URL('../clients/typescript/src/index.ts', import.meta.url)) },
  },
})
