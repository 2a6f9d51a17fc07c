import { readFileSync } from 'node:fs'

/** A data file of the folder assets/, which the npm package and the image contain. */
export function readAsset<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../assets/${name}`, import.meta.url), 'utf8'))
}
