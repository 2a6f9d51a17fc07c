import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  // Relative addresses, so that the application also works below a path of a proxy.
  base: './',
  plugins: [react()],
  // The client's sources, so that nothing has to be built before.
  resolve: {
    alias: { '@paddock/client': fileURLToPath(new URL('../clients/typescript/src/index.ts', import.meta.url)) },
  },
  // Nothing inline: the page's content security policy allows only files of its own.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2022' },
})
