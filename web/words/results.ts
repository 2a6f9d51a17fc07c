// Results of outcomes.

import type { Result } from '../../src/record/figures.ts'

export type { Result }

const RESULTS: Record<Result, string> = {
  win: 'Won',
  'half-win': 'Half won',
  place: 'Placed',
  lose: 'Lost',
  'half-lose': 'Half lost',
  void: 'Void',
  push: 'Void',
}

export const resultText = (result: string): string => RESULTS[result as Result] ?? result
