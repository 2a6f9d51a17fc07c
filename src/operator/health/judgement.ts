/** `critical`: somebody should act now; `warning`: somebody should look. */
export const STATES = ['good', 'warning', 'critical'] as const
export type State = (typeof STATES)[number]

/** `advice`: what to do; null while the state is good. */
export type Judgement = { readonly state: State; readonly advice: string | null }

export const GOOD: Judgement = { state: 'good', advice: null }

export function worstOf(judgements: readonly Pick<Judgement, 'state'>[]): State {
  return STATES[Math.max(0, ...judgements.map(({ state }) => STATES.indexOf(state)))] as State
}

/** The limits are in the unit of the value. */
export type Limits = { readonly warning: number; readonly critical: number; readonly advice: string }

export function judge(value: number | null, { warning, critical, advice }: Limits): Judgement {
  if (value === null || value < warning) return GOOD
  return { state: value < critical ? 'warning' : 'critical', advice }
}
