// How a notification contradicts our books, in words, with what to do.

import { readAsset } from '../../platform/runtime/assets.ts'
import type { Contradiction } from '../outcome.ts'

type Words = { readonly meaning: string; readonly nextStep: string }

const WORDS = readAsset<Readonly<Record<Contradiction, Words>>>('wallets/contradictions.json')

const FAILED: Words = {
  meaning: 'It could not be applied because of an error of ours, which the log has. It is tried again by itself.',
  nextStep: 'Report the error. If it is never applied, do by hand what the notification reports, then settle it.',
}

/** null: it could not be applied. */
export function whyUnapplied(contradiction: Contradiction | null): Words {
  return contradiction === null ? FAILED : WORDS[contradiction]
}
