// The samples of a reference page, as its Copy buttons copy them.

import { expect } from 'vitest'

/** The ids of the TypeScript in the guide to the client. */
export const CLIENT_SAMPLES = ['setup', 'customers', 'faults', 'lists', 'money', 'stream', 'webhooks'].map(
  (name) => `client-${name}`,
)

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export function sampleOf(page: string, id: string): string {
  const [, text] = new RegExp(`<pre id="${id}"[^>]*><code[^>]*>([^<]*)</code>`).exec(page) ?? []
  expect(text, id).toBeDefined()
  return (text as string).replace(/&(#?\w+);/g, (_whole, name) => ENTITIES[name] as string)
}
