import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The imports of `.ts` files in the declarations below the folder. */
export function typeScriptImports(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))
  if (files.length === 0) throw new Error(`${folder} has no declarations`)
  return files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const imports = [...text.matchAll(/(?:from |import\()['"](\.[^'"]+\.ts)['"]/g)]
    return imports.map(([, target]) => `${name}: ${target}`)
  })
}
