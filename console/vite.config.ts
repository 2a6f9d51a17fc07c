import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  // Relative addresses, so that the console also works below a path of a proxy.
  base: './',
  plugins: [react()],
  // Nothing inline: the page's content security policy allows only files of its own.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2022' },
})
