import { readFileSync } from 'node:fs'

/** A data file of the folder assets/, which the npm package and the image contain. */
export function readAsset<T>(name: string): T {
  return JSON.parse(readAssetText(name))
}

/** With JSON on each line. */
export function readAssetLines<T>(name: string): T[] {
  return readAssetText(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export function readAssetText(name: string): string {
  return readFileSync(new URL(`../../../assets/${name}`, import.meta.url), 'utf8')
}
