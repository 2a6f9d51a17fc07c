import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { WEB_BUILD } from '../web/vite.ts'

export default defineConfig({
  ...WEB_BUILD,
  plugins: [...(WEB_BUILD.plugins ?? []), preloadMain()],
  build: {
    ...WEB_BUILD.build,
    // Two files for the first view, each with what it imports: browsers send six requests at a time, and it had 14 files.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', test: /src[\\/]start\.ts$|preload-helper/, priority: 2 },
            { name: 'main', test: /src[\\/]main\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  // The client's sources, so that nothing has to be built before.
  resolve: {
    alias: { '@paddock/client': fileURLToPath(new URL('../clients/typescript/src/index.ts', import.meta.url)) },
  },
})

/** The browser finds the application's script in the page, and not only when the small one has run that imports it. */
function preloadMain(): Plugin {
  return {
    name: 'preload-main',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const files = Object.values(bundle).filter((file) => file.type === 'chunk' && file.name === 'main')
        return files.map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${fileName}` },
          injectTo: 'head',
        }))
      },
    },
  }
}
