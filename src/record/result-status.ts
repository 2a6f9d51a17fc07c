import type { Result } from './figures.ts'

/** What a comment is stored under: winning, losing, or closed without a result. */
const STATUS_OF: Record<Result, 'W' | 'L' | 'V'> = {
  win: 'W',
  'half-win': 'W',
  lose: 'L',
  'half-lose': 'L',
  place: 'L',
  void: 'V',
  push: 'V',
}

export function storedStatusOf(result: Result): 'W' | 'L' | 'V' {
  return STATUS_OF[result]
}
