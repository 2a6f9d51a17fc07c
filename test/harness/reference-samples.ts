// The samples of a reference page, as its Copy buttons copy them.

import { expect } from 'vitest'

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export function sampleOf(page: string, id: string): string {
  const [, text] = new RegExp(`<pre id="${id}"[^>]*><code[^>]*>([^<]*)</code>`).exec(page) ?? []
  expect(text, id).toBeDefined()
  return (text as string).replace(/&(#?\w+);/g, (_whole, name) => ENTITIES[name] as string)
}
