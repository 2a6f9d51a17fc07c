// Bundles the service, with its packages, for tests that start it in processes of its own: `node bundle-service.ts FOLDER`.

import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: [
    {
      name: 'paddock-addresses',
      // Migrations, pictures and threads are found beside the sources, wherever the bundle is.
      transform: (code, id) =>
        id.startsWith(`${root}src/`)
          ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          : null,
    },
  ],
  ssr: { noExternal: true, external: ['sharp', 'pg-native'] },
  build: {
    ssr: true,
    target: 'esnext',
    outDir: process.argv[2] as string,
    minify: false,
    rolldownOptions: {
      input: { main: `${root}src/main.ts`, 'crash-entry': `${root}test/harness/crash-entry.ts` },
    },
  },
})
