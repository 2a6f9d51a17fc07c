import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'

/** How both applications are built. */
export const WEB_BUILD: UserConfig = {
  // Relative addresses, so that an application also works below a path of a proxy.
  base: './',
  plugins: [react()],
  // The class .card-number of a *.module.css is styles.cardNumber. Short, because pages repeat the names.
  css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: '[hash:base64:5]' } },
  // Nothing inline: the page's content security policy allows only files of its own. One style sheet: its order is that of
  // the imports, whichever screen is opened first.
  build: { assetsInlineLimit: 0, cssCodeSplit: false, modulePreload: { polyfill: false }, target: 'es2022' },
}
