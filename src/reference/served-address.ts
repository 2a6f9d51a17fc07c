import { html } from './html.ts'

/** The page with the address it is served from, in place of that of the samples. */
export function withAddress(page: string, sample: string, address: string): string {
  const { markup } = html`${address}`
  return page.replaceAll(sample, () => markup)
}
