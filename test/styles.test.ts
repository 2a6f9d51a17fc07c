// Styles of one component are a *.module.css beside it.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname
const files = ['console/src', 'showcase/src', 'web'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
)
const components = files.filter((file) => file.endsWith('.tsx')).map((file) => ({ file, text: read(file) }))
const modules = files.filter((file) => file.endsWith('.module.css'))

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** As a component writes them: cardNumber for .card-number. */
function classesOf(file: string): string[] {
  const selectors = read(file)
    .replaceAll(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, '')
    .matchAll(/[^{};]+(?=\{)/g)
  const names = [...selectors].flatMap(([selector]) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)])
  return [...new Set(names.map(([, name = '']) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())))]
}

/** The classes of modules that a component names, by the file of the module. */
function usedIn({ file, text }: { file: string; text: string }): { module: string; name: string }[] {
  return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)'$/gm)].flatMap(([, variable, path = '']) => {
    const module = join(dirname(file), path)
    const code = text.replaceAll(/^(import|\} from) .*$/gm, '')
    const names = [...code.matchAll(new RegExp(`(?<![\\w./])${variable}\\.(\\w+)`, 'g'))]
    return names.map(([, name = '']) => ({ module, name }))
  })
}

const used = components.flatMap(usedIn)

describe('scoped styles', () => {
  test('a component names only classes that its module has', () => {
    expect(used).not.toEqual([])
    const wrong = used.filter(
      ({ module, name }) => !existsSync(join(root, module)) || !classesOf(module).includes(name),
    )
    expect(wrong).toEqual([])
  })

  test.each(modules)('every class of %s is used', (module) => {
    const names = used.filter((one) => one.module === module).map(({ name }) => name)
    expect(classesOf(module).filter((name) => !names.includes(name))).toEqual([])
  })

  test.each(['console', 'showcase'])(
    '%s has two global style sheets, imported before its components',
    (application) => {
      const folder = `${application}/src/`
      const global = files.filter((file) => file.startsWith(folder) && /(?<!\.module)\.css$/.test(file))
      expect(global.toSorted()).toEqual([`${folder}styles/layout.css`, `${folder}styles/theme.css`])
      const imports = [...read(`${folder}main.tsx`).matchAll(/^import .*'([^']+)'$/gm)].map(([, path]) => path)
      expect(imports.slice(0, 2)).toEqual(['./styles/theme.css', './styles/layout.css'])
    },
  )
})

test('console, showcase and reference have colours and the icon from one place', () => {
  const definedIn = (file: string) => [...read(file).matchAll(/^\s+(--[\w-]+):/gm)].map(([, name]) => name)
  const shared = definedIn('web/theme.css')
  expect(shared).toContain('--page')
  const others = files.filter((file) => file.endsWith('.css') && file !== 'web/theme.css')
  const again = others.flatMap((file) => definedIn(file).filter((name) => shared.includes(name)))
  expect(again).toEqual([])
  expect(files.filter((file) => file.endsWith('icon.svg'))).toEqual(['web/icon.svg'])
})
