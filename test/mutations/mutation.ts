type Edit = { file: string; from: string | RegExp; to: string }

/**
 * A change that takes a guard away. `suites`: those that must notice it, on the engine of `project`. `scheduled`: test/schedules must notice
 * it too (docs/invariants.md says why it does not notice the others). `with`: a second guard behind it, which is taken away too. `behind`:
 * why no test can notice it, because of what stands behind it.
 */
export type Mutation = Edit & {
  guard: string
  scheduled?: true
  with?: readonly Edit[]
  behind?: string
  suites: readonly string[]
  project: Project
}
export type Project = 'sqlite' | 'postgres'

/** The guards of one subject, which the same suites protect. */
export function guards(
  suites: readonly string[],
  mutations: Omit<Mutation, 'suites' | 'project'>[],
  project: Project = 'sqlite',
): Mutation[] {
  return mutations.map((mutation) => ({ ...mutation, suites, project }))
}

/** Its guard, and those behind it. */
export const editsOf = ({ file, from, to, with: others = [] }: Mutation): readonly Edit[] => [
  { file, from, to },
  ...others,
]

/** The text without the guard; null where the pattern does not find it. */
export function withoutGuard(text: string, { from, to }: Edit): string | null {
  const mutated = text.replace(from, to)
  return mutated === text ? null : mutated
}
